"""The debiased total has its variance, its standard error and its interval, for every question."""

from decimal import Decimal
from itertools import product

import numpy as np
import pytest

from client.authoring.draft.mechanism_choice import square_wave
from client.core.kinds import AnyOf, Number, OneOf, Scale
from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomizedResponse,
    RandomThreshold,
    SubsetSelection,
)
from client.core.question import Question
from estimators.counting.tally import Tally
from estimators.shares.intervals import normal_quantile
from estimators.shares.spread import Array
from estimators.tables.rows import Row, share_rows
from estimators.tables.table import estimate_table, question_rows
from tests.support.analyses import choice_estimates, level_analysis
from tests.support.surveys import labels, one_of, sampled_boxes, survey_of, yes_no

COLUMNS = (
    *("total", "total_noise_variance", "total_sampling_variance"),
    *("total_standard_error", "total_low", "total_high"),
)
ONE = Decimal(1)
QUESTIONS = [
    yes_no("yes", "1"),
    one_of("colour", 7, "1", size=2),
    sampled_boxes("boxes", 4, 1, "1"),
    sampled_boxes("pairs", 4, 2, "1"),
    Question(
        *("few", "?", AnyOf(options=labels(6), at_most=2), ONE),
        PrivateSet.at(ONE, options=6, at_most=2, size=1),
    ),
    Question("long", "?", OneOf(options=labels(20)), ONE, HadamardResponse.at(ONE, options=20)),
    Question("trust", "?", Scale(lo=0, hi=10, goal="mean"), ONE, RandomThreshold.at(ONE, top=10)),
    Question(
        *("rating", "?", Scale(lo=0, hi=10, decline="Rather not"), ONE),
        SubsetSelection.at(ONE, options=12, size=3),
    ),
    Question(
        *("drinks", "?", Number(lo=Decimal(5), hi=Decimal(30), step=Decimal("0.5")), ONE),
        square_wave(50, ONE),
    ),
]


def tally_of(question: Question) -> Tally:
    """Return uneven counts that the reports of the mechanism could have made."""
    mechanism = question.mechanism
    source = np.random.Generator(np.random.PCG64(7))
    counts = 100 * mechanism.marks + source.integers(0, 40, mechanism.cells)
    counts[0] -= counts.sum() % mechanism.marks
    return Tally.of_cells(counts.tolist(), mechanism.marks)


def test_the_worked_example_of_randomized_response() -> None:
    yes = question_rows(yes_no("q", "1"), Tally.of_cells([600, 400]))[1]
    wanted = [283.604658, 920.673596, 204.298028, 33.540597]
    assert [yes[name] for name in COLUMNS[:4]] == pytest.approx(wanted, abs=5e-7)
    # 1000 times Wilson's interval of the share.
    assert [yes["total_low"], yes["total_high"]] == pytest.approx(
        [1000 * yes["low"], 1000 * yes["high"]]
    )


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_the_whole_variance_is_noise_and_sampling_together(question: Question) -> None:
    rows = [row for row in question_rows(question, tally_of(question)) if row["total"] is not None]
    assert rows
    for row in rows:
        whole = row["total_noise_variance"] + row["total_sampling_variance"]
        assert row["total_standard_error"] == pytest.approx(whole**0.5)
        assert row["total_low"] < row["total"] < row["total_high"]
        if row["quantity"] == "share":
            assert whole == pytest.approx(whole_of_share(row))
            assert row["total"] == pytest.approx(row["n"] * row["share"])


def whole_of_share(row: Row) -> float:
    """n^2 lam (1 - lam) / ((n_j - 1) (p - q)^2), from the reports about the option."""
    lam, asked = row["reported_share"], row["asked"]
    found: float = row["n"] ** 2 * lam * (1 - lam) / ((asked - 1) * (row["p"] - row["q"]) ** 2)
    return found


def test_boxes_add_the_draw_of_who_was_asked_to_the_noise() -> None:
    question = sampled_boxes("boxes", 3, 1, "1")
    row = question_rows(question, Tally((40, 60, 55, 45, 30, 60), 290))[0]
    n, asked, alpha = row["n"], row["asked"], row["p"] - row["q"]
    v = row["p"] * row["q"] / alpha**2
    # The unbiased estimate of n/(n-1) pi(1-pi), from the reports about the box.
    lam = row["reported_share"]
    spread = lam * (1 - lam) / alpha**2 * asked / (asked - 1) - v
    wanted = n**2 / asked * (v + (1 - asked / n) * spread)
    assert row["total_noise_variance"] == pytest.approx(wanted)
    assert row["total_sampling_variance"] == pytest.approx(n * spread)


def test_the_total_of_a_mean_is_the_sum_of_the_scores() -> None:
    (question,) = (one for one in QUESTIONS if one.id == "drinks")
    tally = tally_of(question)
    mean = question_rows(question, tally)[0]
    n = tally.n
    scores = np.repeat(scores_of_window(question), tally.counts)
    assert mean["total"] == pytest.approx(scores.sum())
    assert mean["total_standard_error"] ** 2 == pytest.approx(n * scores.var(ddof=1))
    assert mean["total_low"] == pytest.approx(n * mean["low"])
    assert mean["total_high"] == pytest.approx(n * mean["high"])


def scores_of_window(question: Question) -> Array:
    """The unbiased score of every report: linear in it, so two means of reports determine it."""
    mechanism, grid = question.mechanism, question.kind.grid
    assert grid is not None
    analysis = level_analysis(mechanism)
    reports = np.arange(mechanism.cells)
    low, high = (
        float(reports @ analysis.forward(np.eye(analysis.top + 1)[level]))
        for level in (0, analysis.top)
    )
    levels = (reports - low) * analysis.top / (high - low)
    return np.asarray(float(grid.lo) + float(grid.step) * levels, dtype=np.float64)


def test_of_a_scale_with_a_way_out_the_sum_is_over_those_who_gave_a_level() -> None:
    mechanism = SubsetSelection.at(Decimal(2), options=4, size=1)
    question = Question("q", "?", Scale(lo=1, hi=3, decline="No"), Decimal(2), mechanism)
    tally = Tally.of_cells([300, 250, 250, 200])
    *shares, mean = question_rows(question, tally)
    totals = [row["total"] for row in shares]
    assert mean["total"] == pytest.approx(totals[0] + 2 * totals[1] + 3 * totals[2])
    assert mean["total"] < 1000 * mean["value"]
    half = (mean["total_high"] - mean["total_low"]) / 2
    assert half == pytest.approx(normal_quantile(0.95) * mean["total_standard_error"])


def test_the_variances_of_the_total_are_unbiased_over_every_outcome() -> None:
    """Three people of a population with a share of 1/3 answer at p = 3/4: 2^3 outcomes."""
    mechanism = RandomizedResponse(threshold=3 * 2**30)
    lam, n = 0.25 + 0.5 / 3, 3
    means = np.zeros(3)
    for bits in product((0, 1), repeat=n):
        chance = np.prod([lam if bit else 1 - lam for bit in bits])
        found = choice_estimates(mechanism, Tally.of_cells([n - sum(bits), sum(bits)]))
        row = share_rows(found, ("No", "Yes"), 0.95, exact=False)[1]
        means += chance * np.array([row[name] for name in COLUMNS[:3]])
    assert means == pytest.approx([n / 3, n * 0.75, n * 2 / 9])


def test_every_group_has_its_own_totals() -> None:
    survey = survey_of(yes_no("q", "1"))
    counts = {"": (600, 400), "north": (200, 150)}
    for group, cells in counts.items():
        row = estimate_table(survey, {"q": Tally.of_cells(cells)}, group=group)[1]
        assert row["group"] == group
        assert row["total"] == pytest.approx(row["n"] * row["share"])
        assert all(row[name] is not None for name in COLUMNS)
