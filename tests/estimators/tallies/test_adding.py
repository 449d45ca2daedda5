"""Tallies add up: however the reports are cut and put together, the counts are the same."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from estimators.counting.tally import Counting
from estimators.tables.table import estimate_table
from estimators.tallies import survey_tally
from estimators.tallies.adding import Adding
from estimators.tallies.survey_tally import SurveyTally
from estimators.tallies.tally_file import parse_tally, tally_bytes
from tests.support.tallies import PLAIN, SHAPES, columns, survey_with, tally_of

REPORTS = 60
Row = tuple[dict[str, Any], str]


@cache
def rows_of(shape: str) -> tuple[Survey, list[Row]]:
    survey = survey_with(shape)
    (block,) = columns(survey, REPORTS)
    assert block.groups is None or survey.groups
    codes = survey.groups.codes if survey.groups else ("",)
    numbers = [0] * REPORTS if block.groups is None else block.groups.tolist()
    reports = [report.randomized for report in block.reports()]
    return survey, [(row, codes[at]) for row, at in zip(reports, numbers, strict=True)]


def counted(survey: Survey, rows: Sequence[Row]) -> Counting:
    counting = Counting(survey)
    for randomized, group in rows:
        for question in survey.questions:
            if randomized[question.id] is not None:
                counting.add(question, randomized[question.id], 1, group)
    return counting


def added(tallies: Sequence[SurveyTally]) -> SurveyTally:
    adding = Adding()
    for number, tally in enumerate(tallies):
        # As if each came from a file.
        adding.add(parse_tally(tally_bytes(tally)), f"{number}.json")
    return adding.result()


@settings(max_examples=15)
@given(st.sampled_from(SHAPES), st.data())
def test_any_partition_in_any_order_gives_the_tally_of_all_reports(
    shape: str, data: st.DataObject
) -> None:
    survey, rows = rows_of(shape)
    places = data.draw(st.lists(st.integers(0, 7), min_size=REPORTS, max_size=REPORTS))
    parts = [
        tally_of(counted(survey, rows_of_part), number)
        for number in range(8)
        if (rows_of_part := [row for row, at in zip(rows, places, strict=True) if at == number])
    ]
    parts = data.draw(st.permutations(parts))
    cut = data.draw(st.integers(0, len(parts) - 1))
    # Some are added before, as two people would who both have a few.
    total = added([added(parts[: cut + 1]), *parts[cut + 1 :]])
    whole = counted(survey, rows)
    assert total.tallies == whole.tallies()
    assert {code: group.tallies for code, group in total.groups.items()} == whole.by_group()
    assert total.reports == REPORTS
    assert tally_bytes(total) == tally_bytes(added(sorted(parts, key=lambda each: each.parts)))
    rows_of_table = estimate_table(survey, total.tallies)
    assert rows_of_table == estimate_table(survey, whole.tallies())


def test_a_part_that_is_in_two_tallies_is_found_however_deep_it_is() -> None:
    survey, rows = rows_of(PLAIN)
    a, b, c = (tally_of(counted(survey, rows[at::3]), at) for at in range(3))
    ab, bc = added([a, b]), added([b, c])
    for pair in ((a, a), (ab, a), (a, ab), (ab, bc)):
        with pytest.raises(Refusal, match=r"counts 20 reports again that 0\.json counts") as caught:
            added(pair)
        assert caught.value.code == "counted_twice"


def test_tallies_of_two_surveys_do_not_add_up() -> None:
    one, other = (
        tally_of(counted(survey, rows), number)
        for number, (survey, rows) in enumerate(map(rows_of, SHAPES[:2]))
    )
    with pytest.raises(Refusal, match=r"1\.json is of another survey: its fingerprint is"):
        added([one, other])


def test_more_reports_than_a_number_can_hold_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    survey, rows = rows_of(PLAIN)
    parts = [tally_of(counted(survey, rows[at::2]), at) for at in range(2)]
    monkeypatch.setattr(survey_tally, "MOST_REPORTS", REPORTS - 1)
    with pytest.raises(Refusal, match="must be an integer from 1 to 59, got 60"):
        added(parts)
