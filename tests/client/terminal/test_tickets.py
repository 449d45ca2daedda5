"""Tickets on a device: kept before anything is sent, asked for once, and gone after sending."""

import json
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from client.core.tickets.ticket import Blinding, blind, verify
from client.terminal import kept
from client.terminal.tickets import Asked, TicketPocket, get_ticket
from client.terminal.transport import SurveyLink
from tests.support.surveys import survey_of, yes_no
from tests.support.ticket_keys import POOL

CODE = "7k3mq-2xw9-pbd4r"
KEY, OTHER = POOL[:2]


def invited() -> Survey:
    return survey_of(yes_no("a", "1"), access="invited").with_ticket_keys({"": KEY.public})


SURVEY = invited()
FP = SURVEY.fingerprint


@dataclass(frozen=True)
class SigningLink(SurveyLink):
    """A link to a server that signs, and that writes down what was on the device's disk then."""

    folder: Path = Path()
    asked: list[tuple[str, str]] = field(default_factory=list)
    on_disk: list[Any] = field(default_factory=list)
    sign: Callable[[str], object] = KEY.sign

    def ask_to_sign(self, invitation: str, blinded: str) -> object:
        self.on_disk.extend(map(kept.read, self.folder.glob("*.asked")))
        self.asked.append((invitation, blinded))
        return self.sign(blinded)


def link_in(folder: Path, invitation: str = CODE) -> SigningLink:
    return SigningLink("https://example.org", "a-survey", FP, False, invitation, folder=folder)


def test_what_is_sent_is_on_disk_before_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "outbox"
    link = link_in(folder)
    ticket = get_ticket(link, SURVEY, TicketPocket(folder))
    assert verify(ticket, dict(SURVEY.ticket_keys), FP).group == ""
    ((invitation, blinded),) = link.asked
    assert invitation == CODE
    (before,) = link.on_disk
    assert (before["invitation"], before["blinding"]["blinded"]) == (CODE, blinded)
    (file,) = folder.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    # Nothing is left of the link, nor of what covered the ticket.
    assert json.loads(file.read_text()) == ticket
    assert not {CODE, blinded, before["blinding"]["inv"]} & {file.read_text(), file.name}
    # A kill may leave what was not yet kept; it goes, too.
    (folder / f"{FP}.0f.asked.12.part").write_text(CODE)
    TicketPocket(folder).forget(FP)
    assert list(folder.iterdir()) == []


def test_after_silence_the_same_bytes_are_sent_again_and_never_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("client.terminal.transport.time.sleep", lambda pause: None)
    answers: list[object] = [Refusal("out_of_reach", reason="silence")] * 6

    def sign(blinded: str) -> object:
        if answers:
            raise answers.pop()  # type: ignore[misc]
        return KEY.sign(blinded)

    link = replace(link_in(tmp_path), sign=sign)
    with pytest.raises(Refusal) as gave_up:
        get_ticket(link, SURVEY, TicketPocket(tmp_path))
    assert gave_up.value.code == "out_of_reach"
    # Another day, another process; the code typed in another way, or left out.
    for typed in (CODE.upper().replace("-", ""), "", "7K3MQ-2XW9-PBD4R"):
        later = replace(link, invitation=typed)
        get_ticket(later, SURVEY, TicketPocket(tmp_path))
    assert len(set(link.asked)) == 1


def test_a_ticket_is_asked_for_once_also_by_many_terminals(tmp_path: Path) -> None:
    link = link_in(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        tickets = set(
            pool.map(lambda _: get_ticket(link, SURVEY, TicketPocket(tmp_path)), range(24))
        )
    assert (len(tickets), len({blinded for _, blinded in link.asked})) == (1, 1)


@pytest.mark.parametrize(
    "sign",
    [
        OTHER.sign,
        lambda blinded: KEY.sign(blinded).upper().replace("A", "G"),
        lambda blinded: f"{int(KEY.sign(blinded), 16) + KEY.modulus:0512x}",
        lambda blinded: blinded,
        lambda blinded: "0" * 512,
        lambda blinded: None,
        lambda blinded: int(KEY.sign(blinded), 16),
    ],
)
def test_a_signature_with_another_key_is_refused_and_kept_for_nobody(
    tmp_path: Path, sign: Callable[[str], object]
) -> None:
    link = replace(link_in(tmp_path), sign=sign)
    for _ in range(2):
        with pytest.raises(Refusal) as caught:
            get_ticket(link, SURVEY, TicketPocket(tmp_path))
        assert caught.value.code == "ticket_unsound"
    # The device never covers a second ticket for the link.
    assert len(set(link.asked)) == 1
    assert TicketPocket(tmp_path).ticket(FP) is None


def test_a_key_that_was_bad_once_is_never_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other values might do; whoever tries them tells the server that the first did not."""

    def refuse(*_: object) -> Blinding:
        raise Refusal("bad_ticket_key.factor", "ticket_keys")

    link = link_in(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr("client.terminal.tickets.blind", refuse)
        with pytest.raises(Refusal):
            get_ticket(link, SURVEY, TicketPocket(tmp_path))
    for _ in range(2):
        with pytest.raises(Refusal) as caught:
            get_ticket(link, SURVEY, TicketPocket(tmp_path))
        assert caught.value.code == "bad_ticket_key"
    assert link.asked == []


def test_another_link_on_the_same_device_has_its_own_covered_ticket(tmp_path: Path) -> None:
    first = replace(link_in(tmp_path), sign=lambda blinded: None)
    with pytest.raises(Refusal):
        get_ticket(first, SURVEY, TicketPocket(tmp_path))
    second = replace(first, invitation="a1b2c-3d4e-5f6g7", sign=KEY.sign)
    get_ticket(second, SURVEY, TicketPocket(tmp_path))
    assert len(set(first.asked)) == 2
    # Without a code it is not clear which of two links is meant.
    pocket = TicketPocket(tmp_path / "two")
    for code in ("one", "two"):
        pocket.keep_asked(FP, Asked(code, blind(KEY.public, FP)))
    assert pocket.asked(FP, "") is None


def test_a_personal_link_without_its_code_asks_for_nothing(tmp_path: Path) -> None:
    link = link_in(tmp_path, invitation="")
    with pytest.raises(Refusal) as caught:
        get_ticket(link, SURVEY, TicketPocket(tmp_path))
    assert (caught.value.code, link.asked) == ("invitation_missing", [])


def test_damaged_files_stop_rather_than_cover_a_second_ticket(tmp_path: Path) -> None:
    pocket = TicketPocket(tmp_path)
    asked = Asked(CODE, blind(KEY.public, FP))
    pocket.keep_asked(FP, asked)
    (file,) = tmp_path.iterdir()
    for content in ("{", "{}", "[]", json.dumps({"invitation": CODE, "blinding": {}}), '"x"'):
        file.write_text(content)
        with pytest.raises(Refusal) as caught:
            get_ticket(link_in(tmp_path), SURVEY, TicketPocket(tmp_path))
        assert caught.value.code == "outbox_unreadable"
    file.write_text(json.dumps(asdict(asked)))
    get_ticket(link_in(tmp_path), SURVEY, TicketPocket(tmp_path))
