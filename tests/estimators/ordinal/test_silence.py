"""Numbers that can be declined: unbiased scores, known noise, and intervals that hold (5.5)."""

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import combinations_with_replacement

import numpy as np
import pytest

from client.authoring.draft.mechanism_choice import best_sliding_window
from client.core.mechanisms import SlidingWindow
from estimators.commands.analysis.estimate_remarks import remarks
from estimators.counting.tally import Tally
from estimators.mechanisms.sliding_window import SlidingWindowAnalysis
from estimators.ordinal.answered import RatioScore, ratio_without
from estimators.ordinal.em import channel_matrix
from estimators.tables.level_rows import QUANTILES, level_rows
from tests.benchmarks.coverage.silence import SILENT, measure
from tests.support.levels import Array, estimates_of, expected_counts
from tests.support.methods_page import assert_says
from tests.support.process import ROOT

ONE, TWO = Decimal(1), Decimal(2)
WINDOWS = [
    SlidingWindow.at(ONE, top=4, width=2, silent=1),
    SlidingWindow.at(TWO, top=5, width=0, silent=2),
    SlidingWindow.at(Decimal("0.5"), top=3, width=3, silent=2),
]
every_window = pytest.mark.parametrize("mechanism", WINDOWS, ids=str)


def exact_matrix(mechanism: SlidingWindow) -> Array:
    """Return P(report | truth) from the mechanism's own near sets."""
    analysis, reports = SlidingWindowAnalysis(mechanism), range(mechanism.cells)
    truths = range(mechanism.domain.count)
    columns = [[float(chance) for chance in analysis.chances(reports, x)] for x in truths]
    return np.array(columns).T


@every_window
def test_the_channel_by_cumulative_sums_is_the_exact_one(mechanism: SlidingWindow) -> None:
    analysis, exact = SlidingWindowAnalysis(mechanism), exact_matrix(mechanism)
    assert channel_matrix(analysis) == pytest.approx(exact)
    assert analysis.backward(np.eye(mechanism.cells)) == pytest.approx(exact.T)


@every_window
def test_scores_are_unbiased_for_every_level_and_0_for_silence(mechanism: SlidingWindow) -> None:
    analysis, exact = SlidingWindowAnalysis(mechanism), exact_matrix(mechanism)
    levels, silent = np.arange(mechanism.top + 1), np.zeros(mechanism.silent)
    for scores, wanted in (
        (analysis.mean_scores(), levels),
        (analysis.answered_scores(), np.ones(len(levels))),
        (analysis.square_scores(), levels**2),
    ):
        assert scores @ exact == pytest.approx(np.append(wanted, silent), abs=1e-9)


@every_window
def test_the_noise_of_the_pair_is_that_of_the_exact_channel(mechanism: SlidingWindow) -> None:
    analysis, exact = SlidingWindowAnalysis(mechanism), exact_matrix(mechanism)
    part, base = analysis.mean_scores(), analysis.answered_scores()
    centred = part - mechanism.top / 2 * base
    for truth in range(mechanism.domain.count):
        chances = exact[:, truth]
        covariance = np.cov([part, base, centred], aweights=chances, bias=True)
        given = float(truth <= mechanism.top)
        found = analysis.pair_noise(given, given * truth, given * truth**2)
        assert (found.part, found.base) == pytest.approx((covariance[0, 0], covariance[1, 1]))
        assert found.both == pytest.approx(covariance[0, 1])
        assert mechanism.noise(truth) == pytest.approx(covariance[2, 2])


@every_window
def test_expected_reports_give_back_the_truth(mechanism: SlidingWindow) -> None:
    """With as many reports as expected of a huge survey, every figure is the true one."""
    silent = np.full(mechanism.silent, 0.15)
    own = np.arange(1, mechanism.top + 2) / np.arange(1, mechanism.top + 2).sum()
    shares = np.append(own * (1 - silent.sum()), silent)
    found = estimates_of(mechanism, expected_counts(mechanism, shares, 10**9), lo=-2, step=0.5)
    values = -2 + 0.5 * np.arange(mechanism.top + 1)
    answered = 1 - silent.sum()
    assert found.mean.value == pytest.approx(float(own @ values), abs=1e-6)
    assert found.total.value / found.n == pytest.approx(answered * float(own @ values), abs=1e-6)
    assert found.silent is not None
    assert found.silent.shares == pytest.approx(silent, abs=1e-6)
    assert found.cumulative.fitted == pytest.approx(np.cumsum(own)[:-1], abs=1e-4)
    assert found.score(np.eye(mechanism.top + 1)[1]).value == pytest.approx(own[1], abs=1e-6)
    interval = found.mean.interval()
    assert interval.low < float(own @ values) < interval.high


def test_a_mean_in_another_unit_has_the_interval_in_that_unit() -> None:
    mechanism = WINDOWS[0]
    counts = expected_counts(mechanism, np.array([0.3, 0.2, 0.1, 0.1, 0.1, 0.2]), 5_000)
    plain, scaled = estimates_of(mechanism, counts), estimates_of(mechanism, counts, lo=7, step=3)
    for ends in ("interval", "respondents_interval"):
        one, other = (getattr(each.mean, ends)() for each in (plain, scaled))
        assert (other.low, other.high) == pytest.approx((7 + 3 * one.low, 7 + 3 * one.high))
    assert scaled.mean.standard_error == pytest.approx(3 * plain.mean.standard_error)


def test_a_mean_of_perhaps_nobody_is_not_given() -> None:
    mechanism = WINDOWS[0]
    counts = expected_counts(mechanism, np.array([0, 0, 0, 0, 0, 1.0]), 400)
    found = estimates_of(mechanism, counts)
    assert not found.mean.is_known
    assert (found.mean.interval().low, found.mean.interval().high) == (0, mechanism.top)
    rows = level_rows(found, ["Pass"], 0.95, False)
    assert any(text.startswith("No mean and no") for text in remarks({"estimates": rows}))
    by_quantity = {row["quantity"]: row for row in rows}
    assert by_quantity["mean"]["value"] is None
    assert by_quantity["mean"]["total"] is not None
    assert by_quantity["silent"]["value"] == pytest.approx(1, abs=0.02)
    assert all(by_quantity[name]["value"] is None for name in QUANTILES)


@pytest.mark.parametrize("report", range(8))
def test_a_single_report_claims_no_mean(report: int) -> None:
    mechanism = WINDOWS[0]
    found = estimates_of(mechanism, np.eye(mechanism.cells, dtype=int)[report].tolist())
    assert not found.mean.is_known


def left_over(part: Array, base: Array, counts: list[int], dropped: int) -> Iterator[float]:
    """Yield the ratio that is left for every way to drop so many reports."""
    cells = range(len(counts))
    for gone in combinations_with_replacement(cells, dropped):
        kept = np.array(counts) - np.bincount(gone, minlength=len(counts))
        if (kept >= 0).all():
            yield float(kept @ part / (kept @ base))


def test_no_choice_of_forged_reports_beats_the_printed_ends() -> None:
    analysis = SlidingWindowAnalysis(SlidingWindow.at(TWO, top=2, width=1, silent=1))
    part, base = analysis.mean_scores(), analysis.answered_scores()
    counts = [3, 4, 5, 3, 1, 2]
    for dropped in (1, 2, 3):
        ratios = list(left_over(part, base, counts, dropped))
        found = ratio_without(part, base, np.array(counts, dtype=float), dropped)
        assert found is not None
        assert (found.low, found.high) == pytest.approx((min(ratios), max(ratios)))
    assert ratio_without(part, base, np.array(counts, dtype=float), 15) is None


@every_window
def test_forged_reports_move_the_expected_mean_by_no_more_than_is_printed(
    mechanism: SlidingWindow,
) -> None:
    """Add each possible report a hundred times to what an honest survey expects."""
    analysis = SlidingWindowAnalysis(mechanism)
    shares = np.append(np.full(mechanism.top + 1, 0.8), np.full(mechanism.silent, 0.8))
    honest = analysis.forward(shares / shares.sum()) * 5_000
    scores, base = analysis.mean_scores(), analysis.answered_scores()
    truth = honest @ scores / (honest @ base)
    for report in range(mechanism.cells):
        mixed = honest + 100 * np.eye(mechanism.cells)[report]
        counts = Tally.of_cells(np.rint(mixed).astype(int).tolist())
        found = analysis.estimates(counts)
        moved = abs(float(mixed @ scores / (mixed @ base)) - float(truth))
        assert moved <= found.forged_move(100)


def stated() -> dict[tuple[str, int, str], list[float]]:
    """Return the figures of every row of the README's table, by epsilon, reports and silence."""
    text = (ROOT / "estimators" / "README.md").read_text().partition("### 5.5 ")[2]
    text = text.partition("## 6. ")[0]
    row = re.compile(r"^\| ([0-9.]+) \| ([0-9,]+) \| (0\.\d+(?: and 0\.\d+)?) \| (.*) \|$", re.M)
    return {
        (eps, int(n.replace(",", "")), silent): [float(part) for part in rest.split(" | ")]
        for eps, n, silent, rest in row.findall(text)
    }


def test_intervals_hold_the_truth_as_often_as_the_readme_says() -> None:
    rows = stated()
    assert len(rows) == 4 * 2 * len(SILENT)
    assert min(min(row[0], *row[2:]) for row in rows.values()) > 0.93
    for one in measure(("1",), (200,), samples=20):
        # Of 60 samples, 54 at least hold the truth with a chance of 0.95.
        assert min(one.mean, one.total, one.option, one.quantiles) >= 0.85, one


@pytest.mark.parametrize(
    ("epsilon", "n", "silent"), [("4", 10, 0.0), ("4", 100, 0.9), ("0.5", 500, 0.99)]
)
def test_few_reports_and_much_silence_cost_no_more_coverage_than_the_readme_says(
    epsilon: str, n: int, silent: float
) -> None:
    """Everybody at both ends: 0.904 or more, where no mean stands for the whole range."""
    mechanism = best_sliding_window(10, Decimal(epsilon), 1)
    shares = np.zeros(12)
    shares[[0, 10, 11]] = (1 - silent) / 2, (1 - silent) / 2, silent
    chances = SlidingWindowAnalysis(mechanism).forward(shares)
    drawn = np.random.default_rng(n).multinomial(n, chances, 200).tolist()
    means = [estimates_of(mechanism, counts).mean for counts in drawn]
    held = [mean.interval().low <= 5 <= mean.interval().high for mean in means]
    # Of 200 samples, 167 at least hold it with a chance of 0.904, but for one time in 1,000.
    assert np.mean(held) >= 0.835
    # A set without an end is never printed as a mean, and a mean lies in its interval.
    for mean in means:
        ends = mean.interval()
        assert (
            ends.low <= mean.value <= ends.high
            if mean.is_known
            else (ends.low, ends.high) == (0, 10)
        )


def test_the_page_about_methods_gives_the_range_of_the_readme() -> None:
    mean, _, total, option, quantiles = zip(*stated().values(), strict=True)
    for figures, about in ((mean, "the mean"), (total, "the total"), (option, "the share of")):
        assert_says(f"{min(figures):.3f} to {max(figures):.3f} for {about}")
    assert_says(f"at least {min(quantiles):.3f} for quantiles")
    error = math.sqrt(0.95 * 0.05 / 3_000)
    assert_says(f"3,000 samples each, all drawn independently; one standard error is {error:.3f}")


def test_no_two_rows_share_their_draws() -> None:
    """Two surveys with the same law have the same reports only if they share a seed."""
    rows = list(measure(("1", "1"), (200,), samples=30))
    figures = [(one.mean, one.total, one.option) for one in rows]
    assert figures[: len(SILENT)] != figures[len(SILENT) :]


def test_a_ratio_with_less_noise_has_a_shorter_interval() -> None:
    mean = estimates_of(WINDOWS[0], [40, 50, 60, 50, 40, 30, 20, 30, 20, 30]).mean
    assert isinstance(mean, RatioScore)
    quiet = replace(mean, least=mean.least.over(4), sampling=mean.sampling.over(4))
    wide, narrow = mean.interval(), quiet.interval()
    assert narrow.high - narrow.low < wide.high - wide.low
