"""Personal links in a terminal: begun by a person, one ticket each, never sent with a report."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from client import __main__
from client.terminal import transport
from client.wording.catalogue import Wording
from client.wording.comparison import first_digits
from server.data_folder import DataFolder
from tests.client.terminal.test_answer import rehearsal_of, reports
from tests.support.inviting import personal
from tests.support.live import Live
from tests.support.live import live as run_live

# Begin, the two answers, send.
ALL = "y\n2\n1\ny\n"


@dataclass
class Wire:
    """Everything that the terminal sends, in order."""

    sent: list[tuple[str, str, bytes, dict[str, str]]] = field(default_factory=list)

    def paths(self, method: str) -> list[str]:
        return [url.partition("/api/")[2] for used, url, *_ in self.sent if used == method]


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    found, call = Wire(), transport._call

    def recording(method: str, url: str, body: bytes = b"", headers: Any = None) -> bytes:
        found.sent.append((method, url, body, headers or {}))
        return call(method, url, body or None, headers)

    monkeypatch.setattr(transport, "_call", recording)
    return found


@pytest.fixture
def outbox(tmp_path: Path) -> Path:
    return tmp_path / "outbox"


def run(url: str, outbox: Path, typed: str = "", *options: str, command: str = "answer") -> Result:
    arguments = [command, url, "--outbox", str(outbox), *options]
    return CliRunner().invoke(__main__.main, arguments, input=typed)


def link_of(live: Live, code: str) -> str:
    return f"{live.url}/s/{live.survey.slug}#{live.survey.fingerprint};{code}"


def test_a_link_is_exchanged_after_begin_and_never_sent_with_the_document_or_the_report(
    staff: Live, outbox: Path, wire: Wire
) -> None:
    (code,) = personal(staff)
    result = run(link_of(staff, code), outbox, ALL)
    assert result.exit_code == 0, result.output
    digits = first_digits(staff.survey.fingerprint)
    told = [
        *("must be the same for everybody", digits, "Your link is exchanged for a ticket."),
        *("What could still tell:", "Begin?", "Do you smoke?", "are stored"),
    ]
    assert all(text in result.output for text in told), result.output
    assert result.output.index(digits) < result.output.index("Begin?")
    assert f"  {staff.url.partition('://')[2]}/s/habits\n  {digits}\n" in result.output
    assert len(reports(staff)) == 1
    assert wire.paths("POST") == ["surveys/habits/tickets", "surveys/habits/reports"]
    fetched = [request for request in wire.sent if request[0] == "GET"]
    plain = (f"{staff.url}/s/habits/document.json", b"", {"Accept-Encoding": "gzip"})
    assert [request[1:] for request in fetched] == [plain] * 2
    (asked,) = [request for request in wire.sent if request[1].endswith("/tickets")]
    (report,) = [request for request in wire.sent if request[1].endswith("/reports")]
    assert json.loads(asked[2]).keys() == {"invitation", "blinded"}
    assert code.encode() not in report[2]
    assert code not in str(report[3])
    ticket = report[3]["Candor-Ticket"]
    assert not any(part in str(asked) for part in ticket.split("."))
    # The receipt keeps neither the link nor the ticket.
    (kept,) = outbox.iterdir()
    assert not any(part in kept.read_text() for part in (code, *ticket.split(".")))


def test_nothing_is_asked_for_before_a_person_begins(staff: Live, outbox: Path, wire: Wire) -> None:
    (code,) = personal(staff)
    refused = run(link_of(staff, code), outbox / "first", "n\n")
    assert (refused.exit_code, "Nothing was sent." in refused.output) == (2, True)
    assert wire.paths("POST") == []
    assert not (outbox / "first").exists()
    # So the link still works, on another device as well.
    assert run(link_of(staff, code), outbox / "second", ALL).exit_code == 0
    again = run(link_of(staff, code), outbox / "third", ALL)
    assert again.exit_code == 2
    assert "begun on another device" in again.output
    assert "Do you smoke?" not in again.output
    assert len(reports(staff)) == 1


@pytest.mark.parametrize("language", ["en", "de", "es", "ar"])
def test_a_used_link_is_told_in_the_language_of_the_respondent(
    staff: Live, outbox: Path, language: str
) -> None:
    (code,) = personal(staff)
    yes = {"en": "y", "de": "j", "es": "s", "ar": "ن"}[language]
    first = run(
        link_of(staff, code), outbox / "one", f"{yes}\n", "--language", language, command="ticket"
    )
    assert first.exit_code == 0, first.output
    second = run(link_of(staff, code), outbox / "two", f"{yes}\n", "--language", language)
    assert Wording(language).say("trouble.link_used") in second.output


def test_a_ticket_is_collected_and_used_later_without_the_link(
    staff: Live, outbox: Path, wire: Wire
) -> None:
    (code,) = personal(staff)
    collected = run(link_of(staff, code), outbox, "y\n", command="ticket")
    assert collected.exit_code == 0, collected.output
    assert "Ticket collected" in collected.output
    assert "Come back another day, on this device" in collected.output
    assert "Do you smoke?" not in collected.output
    assert reports(staff) == []
    assert all(code not in path.read_text() for path in outbox.iterdir())
    again = run(link_of(staff, code), outbox, "", command="ticket")
    assert (again.exit_code, wire.paths("POST")) == (0, ["surveys/habits/tickets"])
    # The plain address is enough now, and nobody is asked to begin again.
    answered = run(f"{staff.url}/s/habits", outbox, "2\n1\ny\n")
    assert answered.exit_code == 0, answered.output
    assert wire.paths("POST")[1:] == ["surveys/habits/reports"]
    assert len(reports(staff)) == 1
    late = run(link_of(staff, code), outbox, "", command="ticket")
    assert "already sent" in late.output


def test_a_report_may_wait_for_another_day(staff: Live, outbox: Path, wire: Wire) -> None:
    (code,) = personal(staff)
    later = run(link_of(staff, code), outbox, "y\n2\n1\nlater\n")
    assert later.exit_code == 0, later.output
    assert "Kept for another day" in later.output
    assert reports(staff) == []
    (kept,) = outbox.iterdir()
    body = json.loads(kept.read_text())["body"]
    sent = run(link_of(staff, code), outbox)
    assert sent.exit_code == 0, sent.output
    assert "Do you smoke?" not in sent.output
    assert [request[2].decode() for request in wire.sent if request[1].endswith("/reports")] == [
        body
    ]
    assert len(reports(staff)) == 1


def test_where_answers_begin_on_a_day_the_ticket_is_collected_before(
    folder: DataFolder, draft: dict[str, Any], outbox: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collecting = {**draft, "access": "invited", "answer_from": "2999-03-01"}
    with run_live(folder, collecting) as live:
        (code,) = personal(live)
        early = run(link_of(live, code), outbox, "y\n")
        assert early.exit_code == 0, early.output
        assert "Come back from 2999-03-01 on, on this device" in early.output
        assert "Do you smoke?" not in early.output
        # A clock that is wrong: the server takes no report, and the device keeps it.
        monkeypatch.setattr("client.terminal.turn.today", lambda: "2999-03-01")
        wrong = run(link_of(live, code), outbox, "2\n1\ny\n")
        assert wrong.exit_code == 2
        assert "not open yet" in wrong.output
        assert reports(live) == []
        assert [path.suffix for path in outbox.iterdir()] == [".json"]


def test_the_group_and_all_groups_are_named_before_beginning(sites: Live, outbox: Path) -> None:
    code = personal(sites, 20, "south")[0]
    result = run(link_of(sites, code), outbox, ALL)
    assert result.exit_code == 0, result.output
    before, _, after = result.output.partition("Begin?")
    assert "The group of your link, sent as it is: south" in before
    assert "All groups of this survey: north; south; east; west" in before
    assert "Do you smoke?" in after


def test_a_link_to_a_group_that_the_document_lacks_asks_for_nothing(
    sites: Live, outbox: Path, wire: Wire
) -> None:
    code = personal(sites, 20, "south")[0]
    result = run(link_of(sites, f"9{code[1:]}"), outbox, ALL)
    assert result.exit_code == 2
    assert "a group that this survey does not have" in result.output
    assert wire.paths("POST") == []


def test_another_fingerprint_than_expected_is_refused_before_anything_is_sent(
    staff: Live, outbox: Path, wire: Wire
) -> None:
    (code,) = personal(staff)
    right = first_digits(staff.survey.fingerprint)
    wrong = run(link_of(staff, code), outbox, ALL, "--expect", "0" * 64)
    assert wrong.exit_code == 2
    assert (wire.paths("POST"), outbox.exists()) == ([], False)
    assert run(link_of(staff, code), outbox, ALL, "--expect", right).exit_code == 0


def test_an_open_survey_has_no_tickets_to_collect(live: Live, outbox: Path, wire: Wire) -> None:
    result = run(f"{live.url}/s/habits", outbox, "y\n", command="ticket")
    assert result.exit_code == 2
    assert "open to everybody" in result.output
    assert wire.paths("POST") == []


def test_the_test_of_an_invited_survey_may_be_answered_again_and_again(
    live: Live, draft: dict[str, Any], outbox: Path, wire: Wire
) -> None:
    rehearsal = rehearsal_of(live, {**draft, "access": "invited"})
    for count in (1, 2):
        result = run(f"{live.url}/t/habits", outbox, ALL)
        assert result.exit_code == 0, result.output
        assert len(reports(rehearsal)) == count
    asked = [json.loads(body) for _, url, body, _ in wire.sent if url.endswith("/tickets")]
    assert [each.keys() for each in asked] == [{"blinded"}] * 2
    assert asked[0] != asked[1]
    assert list(outbox.iterdir()) == []
