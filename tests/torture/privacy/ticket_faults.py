"""Faults of one line in everything that handles blind tickets: a test of ours catches each.

A fault is planted into the real function, and then the real test runs. Those of the page's scripts
are in `script_bugs.py`.
"""

import inspect
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from client.core.tickets import rsabssa, ticket
from client.terminal import tickets as terminal_tickets
from server.data_folder import DataFolder
from server.lifecycle import asking, ticket_keys
from server.signing.keys import SigningKeys
from server.signing.private_key import PrivateKey
from server.store import invitations
from server.surveys import tickets as server_tickets
from tests.client.core import test_tickets
from tests.client.terminal import test_tickets as terminal_test
from tests.server.respondents import test_asking, test_asking_at_once
from tests.server.signing import test_keys, test_signing
from tests.support.changed import changed
from tests.support.groups import with_groups
from tests.support.live import Live, live
from tests.support.ticket_keys import POOL
from tests.torture.row import Outcome, Progress, Row
from tests.vectors.generate import read

DRAFT: dict[str, Any] = {
    **{"slug": "habits", "title": "Habits", "delete_on": "2999-12-31", "access": "invited"},
    "questions": [
        {"id": "smokes", "prompt": "Do you smoke?", "epsilon": "1"},
        {"id": "drinks", "prompt": "Do you drink alone?", "epsilon": "0.5"},
    ],
}
GROUPED = with_groups(DRAFT, "north", "south", "east", "west", id="site") | {"access": "invited"}


@dataclass(frozen=True)
class Fault:
    """One line of a function with something else in its place, and the test that must notice."""

    function: Callable[..., Any]
    old: str
    new: str
    check: Callable[[], object]

    def is_caught(self) -> bool:
        """Return whether the test fails with the fault; raise if it fails without."""
        self.check()
        with changed(self.function, self.old, self.new):
            try:
                self.check()
            except (NameError, TypeError):
                # The fault itself is at fault.
                raise
            # With `pytest.fail` a test says that nothing was raised.
            except (Exception, pytest.fail.Exception):
                return True
        return False


def _vector(test: Callable[[dict[str, Any]], None], name: str) -> Callable[[], None]:
    (vector,) = (vector for vector in read("tickets.jsonl") if vector["name"] == name)
    return lambda: test(vector)


def _patching(test: Callable[..., None], *given: Any) -> Callable[[], None]:
    """Return a test that patches what it needs itself."""

    def check() -> None:
        with pytest.MonkeyPatch.context() as patch:
            test(*given, patch)

    return check


def _on_a_server(
    test: Callable[..., None], *given: Any, draft: dict[str, Any] = DRAFT, patches: bool = False
) -> Callable[[], None]:
    """Return a test with a running server of its own."""

    def check() -> None:
        with _running(draft) as server, pytest.MonkeyPatch.context() as patch:
            test(server, *given, *([patch] if patches else []))

    return check


@contextmanager
def _running(draft: dict[str, Any]) -> Iterator[Live]:
    with tempfile.TemporaryDirectory() as name, live(DataFolder(Path(name) / "data"), draft) as run:
        yield run


def _with_keys(test: Callable[[SigningKeys, Path], None]) -> Callable[[], None]:
    def check() -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "ticket-keys"
            test(SigningKeys(folder), folder)

    return check


def _in_a_folder(test: Callable[..., None]) -> Callable[[], None]:
    """Return a test with a folder of its own, and with a patch if it takes one."""

    def check() -> None:
        with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
            takes_patch = "monkeypatch" in inspect.signature(test).parameters
            test(Path(name), *([patch] if takes_patch else []))

    return check


_FAIR = test_tickets.test_all_bits_of_what_is_drawn_are_fresh_and_fair
_EXACT = _vector(test_tickets.test_a_tape_becomes_exactly_this_ticket, "ticket_good_group_1-0-2")
_REFUSED = test_tickets.test_a_bad_ticket_is_refused
_BLINDED = _patching(test_signing.test_no_power_is_ever_of_the_same_base_or_exponent)
_OWN_KEYS = _on_a_server(test_asking.test_each_group_has_a_key_of_its_own, draft=GROUPED)
_COMMITTED = _on_a_server(
    test_asking.test_a_signature_that_was_not_committed_never_leaves, patches=True
)
FAULTS: Mapping[str, Fault] = {
    "draws an r of 13 bits": Fault(
        rsabssa._uniform, "drawn %= 1 << bits", "drawn %= 1 << 13", _FAIR
    ),
    "draws an r of 2047 bits": Fault(
        rsabssa._uniform,
        "drawn %= 1 << bits",
        "drawn %= 1 << bits - 1",
        test_tickets.test_the_uneven_top_of_r_reaches_the_modulus,
    ),
    "takes a remainder for r instead of drawing again": Fault(
        rsabssa._uniform,
        "drawn %= 1 << bits",
        "drawn %= modulus",
        _vector(test_tickets.test_a_tape_becomes_exactly_this_ticket, "ticket_good_drawn_again"),
    ),
    "uses a nonce again": Fault(ticket.blind_with, "words.word()", "7", _FAIR),
    "takes a signature plus the modulus": Fault(
        rsabssa.is_signed,
        "0 < signature < modulus",
        "0 < signature",
        _vector(_REFUSED, "ticket_bad_plus_the_modulus"),
    ),
    "takes a ticket in capitals": Fault(
        ticket.read,
        "fullmatch(ticket)",
        "fullmatch(ticket.lower())",
        _vector(_REFUSED, "ticket_bad_in_capitals"),
    ),
    "signs no group": Fault(ticket._encoded, "{group}", "", _EXACT),
    "signs with the key of another group": Fault(
        asking._for_a_link, "key = keys[code.group]", "key = keys[min(keys)]", _OWN_KEYS
    ),
    "takes a ticket without looking at its signature": Fault(
        server_tickets.check,
        "blind_tickets.verify(ticket, dict(survey.ticket_keys), survey.fingerprint)",
        "blind_tickets.read(ticket)",
        _OWN_KEYS,
    ),
    "signs no version": Fault(ticket._encoded, "{fingerprint}", "", _EXACT),
    "takes what another key has signed": Fault(
        ticket.finalize,
        "rsabssa.is_signed(encoded, signature, modulus)",
        "True",
        _vector(
            test_tickets.test_a_bad_answer_of_the_server_is_refused,
            "answer_bad_signed_with_another_key",
        ),
    ),
    "signs for a second device": Fault(
        asking._is_free,
        "stored.hash in (NOT_ASKED, asked)",
        "True",
        _on_a_server(test_asking.test_another_device_with_the_same_link_hears_that_it_was_begun),
    ),
    "gives two devices that ask at once a ticket each": Fault(
        invitations._give,
        "AND asked = :not_asked ",
        "AND :not_asked = :not_asked ",
        _on_a_server(
            test_asking_at_once.test_of_two_devices_that_are_signed_for_at_once_one_gets_a_ticket,
            patches=True,
        ),
    ),
    "covers a second ticket after silence": Fault(
        terminal_tickets.get_ticket,
        "asked = pocket.keep_asked(fingerprint, new)",
        "asked = new",
        _in_a_folder(
            terminal_test.test_after_silence_the_same_bytes_are_sent_again_and_never_others
        ),
    ),
    "keeps how a ticket was covered": Fault(
        terminal_tickets.TicketPocket._forget_asked,
        "kept.remove(path)",
        "pass",
        _in_a_folder(
            terminal_test.test_what_is_sent_is_on_disk_before_and_only_its_owner_can_read_it
        ),
    ),
    "sends a signature before it is committed": Fault(
        asking._for_a_link,
        "if database.write_in_set(GIVING_SECONDS, invitations.give_all, gift):",
        "if database.start_in_set(invitations.give_all, gift):",
        _COMMITTED,
    ),
    "sends a signature without checking it": Fault(
        PrivateKey.sign,
        'require(pow(signed, EXPONENT, self.modulus) == blinded, "signing_failed")',
        "pass",
        _patching(test_signing.test_a_wrong_signature_never_leaves, POOL[0].p),
    ),
    "blinds no base": Fault(PrivateKey.sign, "_random(_BASE_WORDS) % self.modulus", "1", _BLINDED),
    "blinds no exponent": Fault(
        PrivateKey._power, "_random(_EXPONENT_WORDS) * (q - 1)", "0", _BLINDED
    ),
    "leaves the file of a deleted key": Fault(
        SigningKeys.delete,
        "self._path(public).unlink(missing_ok=True)",
        "pass",
        _with_keys(test_keys.test_a_deleted_key_signs_no_more_and_leaves_no_file),
    ),
    "remembers a deleted key": Fault(
        SigningKeys.delete,
        "self._known.pop(public, None)",
        "pass",
        _with_keys(test_keys.test_a_deleted_key_signs_no_more_and_leaves_no_file),
    ),
    "keeps the key of a closed survey": Fault(
        ticket_keys.delete_keys,
        "for survey in surveys",
        "for survey in ()",
        _on_a_server(
            test_asking.test_the_key_goes_as_soon_as_no_more_tickets_are_given, DRAFT, "close"
        ),
    ),
}


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Plant the first so many faults."""
    missed = []
    for name, fault in list(FAULTS.items())[:amount]:
        missed += [name] * (not fault.is_caught())
        progress.advance()
    figure = f"{amount} planted, {amount - len(missed)} caught"
    return Outcome(figure, not missed, f"missed: code that {missed[0]}" if missed else "")


ROW = Row(
    "ticket-faults",
    "a fault of one line in what makes, signs, gives, takes and forgets blind tickets; the test "
    "that belongs to it must fail",
    "all caught",
    len(FAULTS),
    "faults",
    run,
)
