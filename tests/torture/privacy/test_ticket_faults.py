"""Every planted fault of the blind tickets is caught, and the change that plants it is undone."""

import pytest

from client.core.tickets import rsabssa
from tests.support.changed import changed
from tests.torture.privacy import ticket_faults
from tests.torture.privacy.ticket_faults import FAULTS, Fault
from tests.torture.row import Silent


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_caught(name: str) -> None:
    assert FAULTS[name].is_caught()


def test_a_change_reaches_everybody_and_is_undone() -> None:
    own = rsabssa.is_signed
    with changed(rsabssa.is_signed, "0 < signature < modulus", "True"):
        assert own(5, 5, 1) is False
        assert own(0, 0, 7) is True
    assert own(0, 0, 7) is False


def test_what_no_test_notices_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    harmless = Fault(rsabssa.unblind, "signed * inverse", "inverse * signed", lambda: None)
    monkeypatch.setattr(ticket_faults, "FAULTS", {"multiplies the other way round": harmless})
    outcome = ticket_faults.run(1, 0, Silent())
    assert outcome.figure == "1 planted, 0 caught"
    assert outcome.reason == "missed: code that multiplies the other way round"
