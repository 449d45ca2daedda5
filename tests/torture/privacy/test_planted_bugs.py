"""Every planted bug is caught, and the shipped randomizers pass the same checks."""

import pytest

from client.core.assignment import TicketWords
from client.core.mechanisms import MECHANISMS, TwoLevel
from estimators.audit.audit import audit
from tests.browser.one_script import without_start
from tests.torture.privacy import planted_bugs, sampler_bugs, script_bugs
from tests.torture.privacy.planted_bugs import (
    PLANTED,
    count_well,
    is_sound,
    missed,
    reproduce_vectors,
)
from tests.torture.privacy.sampler_bugs import ALL, ONE, PLAIN, SUBTLE
from tests.torture.row import Silent

SEED = 20261118


def test_there_are_bugs_for_every_mechanism_in_both_languages() -> None:
    planted_in = {mechanism.name for mechanism, _ in (PLAIN | SUBTLE).values()}
    assert planted_in == {mechanism.name for mechanism in ALL} == set(MECHANISMS)
    changed = {module for module, _, _ in script_bugs.VECTORS.values()}
    assert len([module for module in changed if module.startswith("core/mechanisms/")]) == 7
    assert len(PLAIN | SUBTLE) >= 20
    assert len(script_bugs.VECTORS | script_bugs.COUNTING) >= 25


def test_every_bug_is_caught() -> None:
    assert [name for name, is_missed in missed(SEED) if is_missed] == []


def test_a_bug_that_is_missed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its bug, a sampler passes."""
    mechanism = sampler_bugs.RR
    monkeypatch.setattr(sampler_bugs, "PLAIN", {"works": (mechanism, mechanism.randomize)})
    outcome = planted_bugs.run(1, SEED, Silent())
    assert not outcome.met
    assert outcome.figure == "1 planted, 0 caught"
    assert outcome.reason == "missed: a randomizer that works"


def test_the_shipped_script_passes() -> None:
    assert reproduce_vectors([without_start()]) == [True]
    assert count_well([without_start()]) == [True]


@pytest.mark.parametrize("bug", PLAIN)
def test_the_integers_are_right_so_only_counting_finds(bug: str) -> None:
    mechanism, sampler = PLAIN[bug]
    assert audit(mechanism, ONE, TicketWords("tape", bug), 1, sampler).exact_passes


@pytest.mark.parametrize("mechanism", ALL, ids=lambda mechanism: mechanism.name)
def test_the_shipped_samplers_pass_both(mechanism: TwoLevel) -> None:
    assert is_sound(mechanism)
    result = audit(mechanism, ONE, TicketWords("tape", str(mechanism)), 4_000)
    assert result.passes
    # The audit does prove something: some pair shows a good part of epsilon.
    assert 0.5 < result.epsilon_low < 1


def test_the_row_plants_enough() -> None:
    assert planted_bugs.ROW.amount == PLANTED >= planted_bugs.LEAST_PLANTED
