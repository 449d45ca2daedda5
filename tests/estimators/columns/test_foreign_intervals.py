"""Intervals of data that somebody else randomized, where the reports are alike or few."""

from math import comb

import numpy as np
import pytest

from client.core.primitives.refusal import Refusal
from estimators.columns.design_file import Design, parse_design
from estimators.columns.estimates import design_row, foreign_rows
from estimators.columns.randomized import Randomized

THREE = {"kind": "forced_options", "forced": [0.1, 0.05, 0.15]}
CARDS = {"kind": "kuk", "p_yes": 0.8, "p_no": 0.3, "draws": 5}
DICE = {"kind": "forced", "yes": 1 / 6, "no": 1 / 6}


def column(design: Design, codes: list[int]) -> Randomized:
    return Randomized(
        "y", design.truths, range(len(design.reports)), np.array(codes, dtype=np.int64), design
    )


@pytest.mark.parametrize("question", [THREE, CARDS, DICE], ids=["options", "cards", "dice"])
def test_reports_that_are_all_alike_still_have_an_interval(question: dict[str, object]) -> None:
    design = parse_design("y", question)
    for row in foreign_rows(column(design, [1] * 40)):
        assert row["high"] - row["low"] > 0.05
        assert row["method"] == "wilson"


def test_a_forced_answer_has_the_interval_of_its_own_share_of_the_reports() -> None:
    """Wilson's interval of 30 of 100 is .218949 to .395851, and share = (report - .05)/.7."""
    design = parse_design("y", THREE)
    row = foreign_rows(column(design, [1] * 30 + [0] * 50 + [2] * 20))[1]
    assert [row["low"], row["high"]] == pytest.approx(
        [(0.218949 - 0.05) / 0.7, (0.395851 - 0.05) / 0.7], abs=1e-5
    )
    assert (row["reported_count"], row["reported_share"]) == (30, 0.3)


def test_guaranteed_intervals_never_cover_less_than_promised() -> None:
    """All 13 counts of 12 reports, at shares of a grid: coverage summed exactly."""
    design, n = parse_design("y", DICE), 12
    rows = [foreign_rows(column(design, [1] * c + [0] * (n - c)), exact=True)[1] for c in range(13)]
    assert {row["method"] for row in rows} == {"clopper_pearson"}
    for share in np.linspace(0, 1, 21):
        chance = 1 / 6 + share * 2 / 3
        weights = [comb(n, c) * chance**c * (1 - chance) ** (n - c) for c in range(n + 1)]
        covered = [row["low"] <= share <= row["high"] for row in rows]
        assert sum(w for w, inside in zip(weights, covered, strict=True) if inside) >= 0.95


def test_guaranteed_intervals_are_refused_where_there_are_none() -> None:
    with pytest.raises(Refusal, match="--exact needs a design"):
        foreign_rows(column(parse_design("y", CARDS), [0, 1, 2, 3]), exact=True)


@pytest.mark.parametrize(
    "question",
    [
        {"kind": "forced", "yes": 0.9, "no": 0.3},
        {"kind": "forced_options", "forced": [0.5, 0.4, 0.1]},
    ],
)
def test_forced_answers_that_leave_no_room_for_the_truth_are_refused(question: object) -> None:
    with pytest.raises(Refusal, match="must sum to less than 1"):
        parse_design("y", question)


def test_the_design_says_its_chances_and_what_is_certain() -> None:
    row = design_row(column(parse_design("y", {"kind": "triangular", "u": 0.3}), [1, 0, -1]), 3)
    assert row["matrix"][1] == [0.3, 1.0]
    assert (row["certain"], row["epsilon"], row["missing"]) == (True, None, 1)
