"""Flipped bits at a small scale; the row notices figures that change without a word."""

from dataclasses import replace
from random import Random

import pytest

from server.store.wal import damage
from tests.torture.durability.damage.bit_flips import Flip, Verdict, flip_some, judge
from tests.torture.durability.damage.specimen import Specimen, killed

LOG = "candor.db-wal"
BAD = (Verdict.SILENT, Verdict.CRASH)


@pytest.fixture(scope="module")
def specimen() -> Specimen:
    return killed(Random(1))


def test_no_flipped_bit_is_counted_silently() -> None:
    found = list(flip_some(60, Random(20261118), lambda: None))
    assert [(flip, verdict) for flip, verdict in found if verdict in BAD] == []
    assert {Verdict.HARMLESS, Verdict.NAMED} <= {verdict for _, verdict in found}


def test_a_specimen_without_damage_is_harmless(specimen: Specimen) -> None:
    assert judge(specimen) is Verdict.HARMLESS


def test_other_figures_without_a_word_are_silent(specimen: Specimen) -> None:
    """As if a report were missing that was acknowledged."""
    assert judge(replace(specimen, figures={})) is Verdict.SILENT


def test_without_its_log_a_database_says_less_and_no_word_about_it(specimen: Specimen) -> None:
    """What nobody can tell from the files is what the row would call silent."""
    files = {name: content for name, content in specimen.files.items() if name != LOG}
    assert judge(replace(specimen, files=files)) is Verdict.SILENT


def test_sqlite_alone_would_drop_acknowledged_reports(
    specimen: Specimen, monkeypatch: pytest.MonkeyPatch
) -> None:
    middle = Flip(LOG, len(specimen.files[LOG]) // 2, 0).of(specimen)
    assert judge(middle) is Verdict.NAMED
    monkeypatch.setattr(damage, "_state", lambda content: damage.State.WHOLE)
    assert judge(middle) is Verdict.SILENT
