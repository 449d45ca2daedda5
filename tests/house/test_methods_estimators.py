"""Part 1 of docs/methods.md is true: its figures are recomputed here."""

import math
import re
from collections.abc import Sequence
from decimal import Decimal

import numpy as np
import pytest
from scipy import optimize, special, stats

from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomizedResponse,
    SubsetSelection,
    Supporting,
)
from estimators.shares.intervals import clopper_pearson_ends, normal_quantile, wilson_ends
from estimators.shares.spread import Array, noise_per_respondent, sampling_per_respondent
from tests.support.methods_page import (
    ONE,
    PAGE,
    TEXT,
    assert_says,
    debiased,
    error,
    noise,
    p_q,
    rows_below,
    yes_no,
)
from tests.support.process import ROOT

Z = normal_quantile(0.95)


def test_the_noise_of_a_yes_no_report_is_the_formula_of_the_page() -> None:
    for epsilon in (Decimal("0.1"), ONE):
        e = math.exp(epsilon)
        assert noise(epsilon) == pytest.approx(e / (e - 1) ** 2, rel=1e-7)
    assert_says(f"{noise():.4f} at eps 1, {noise(Decimal('0.1')):.2f} at eps 0.1")


def exact_coverage(ends: tuple[Array, Array], share: float, n: int, p: float, q: float) -> float:
    low, high = ((end - q) / (p - q) for end in ends)
    chances = stats.binom.pmf(np.arange(n + 1), n, q + (p - q) * share)
    return float(chances[(low <= share) & (share <= high)].sum())


def test_the_table_of_coverage_is_exact() -> None:
    rows = rows_below("eps | n | Wilson")
    assert len(rows) == 6
    for epsilon, n, *printed in rows:
        counts, size = np.arange(int(n) + 1), float(n)
        every = np.full(len(counts), size)
        for figure, ends in zip(
            printed,
            (
                wilson_ends(counts.astype(float), every, 0.95),
                clopper_pearson_ends(counts, every, 0.95),
            ),
            strict=True,
        ):
            p, q = yes_no(Decimal(epsilon))
            worst = min(exact_coverage(ends, share, int(n), p, q) for share in (0, 0.01, 0.1, 0.5))
            assert figure == f"{worst:.3f}"


def mean_noise(options: int, p: float, q: float) -> float:
    """Return the noise variance per report and option, with even shares."""
    return float(noise_per_respondent(1 / options, p, q))


@pytest.mark.parametrize("epsilon", ["0.1", "0.5", "1", "2", "4"])
@pytest.mark.parametrize("options", [2, 3, 5, 10, 20, 100, 1000])
def test_subset_selection_is_never_worse_than_encoding_or_hashing(
    epsilon: str, options: int
) -> None:
    assert_says("Subset selection is never worse than the unary encoding and the local hashing")
    e = math.exp(float(epsilon))
    sizes = {min(max(size, 1), options - 1) for size in range(int(options / (e + 1)), 2 + options)}
    ours = min(
        mean_noise(options, *p_q(SubsetSelection.at(Decimal(epsilon), options=options, size=size)))
        for size in sorted(sizes)[:2]
    )
    unary = [(0.5, 1 / (e + 1)), (math.sqrt(e) / (math.sqrt(e) + 1), 1 / (math.sqrt(e) + 1))]
    hashing = [(e / (e + g - 1), 1 / g) for g in range(2, 100)]
    best = min(mean_noise(options, p, q) for p, q in [*unary, *hashing])
    assert ours <= best * (1 + 1e-6)


def test_the_total_has_the_variances_of_the_page() -> None:
    (p, q), n, c = yes_no(), 1000, 400
    noise_variance = n * noise()
    whole = (n * error(c / n, n, p, q)) ** 2
    assert_says(
        f"total {n * debiased(c / n, p, q):.1f}, noise variance {noise_variance:.1f}, sampling "
        f"variance {whole - noise_variance:.1f}, standard error {math.sqrt(whole):.1f}"
    )


def test_the_cuts_of_the_profile_are_quantiles_of_chi_square() -> None:
    assert_says(f"`{{theta : dev <= {stats.chi2.ppf(0.99, 1):.4f}}}`")
    assert_says(f"The usual {stats.chi2.ppf(0.95, 1):.4f} is too small")


def log_likelihood(lam: float, gap: float, counts: Sequence[int], sizes: Sequence[int]) -> float:
    rates = (lam + gap, lam)
    return sum(
        float(special.xlogy(c, rate) + special.xlogy(n - c, 1 - rate))
        for c, n, rate in zip(counts, sizes, rates, strict=True)
    )


def score_statistic(gap: float, counts: Sequence[int], sizes: Sequence[int]) -> float:
    """Return the score statistic of a difference of report shares, by direct maximisation."""
    best = optimize.minimize_scalar(
        lambda lam: -log_likelihood(lam, gap, counts, sizes),
        bounds=(max(0.0, -gap), min(1.0, 1 - gap)),
        method="bounded",
        options={"xatol": 1e-12},
    ).x
    variance = sum(rate * (1 - rate) / n for rate, n in zip((best + gap, best), sizes, strict=True))
    return float((counts[0] / sizes[0] - counts[1] / sizes[1] - gap) / math.sqrt(variance))


def test_the_comparison_of_two_groups_is_the_one_of_the_page() -> None:
    (p, q), counts, sizes = yes_no(), (180, 110), (400, 300)
    gap = counts[0] / sizes[0] - counts[1] / sizes[1]
    low, high = (
        optimize.brentq(lambda d, end=end: score_statistic(d, counts, sizes) - end, -0.5, 0.5)
        for end in (Z, -Z)
    )
    alpha = p - q
    assert_says(
        f"zs = {score_statistic(0.0, counts, sizes):.3f}, difference {gap / alpha:.3f}, "
        f"interval {low / alpha:.3f} to {high / alpha:.3f}"
    )


def test_the_worst_coverage_of_a_difference_is_exact() -> None:
    # With equal shares the interval holds the truth exactly if the pooled test does not reject.
    (_, q), sizes = yes_no(Decimal(4)), (30, 120)
    first, second = np.ogrid[: sizes[0] + 1, : sizes[1] + 1]
    pooled = (first + second) / sum(sizes)
    off = np.abs(first / sizes[0] - second / sizes[1])
    holds = off <= Z * np.sqrt(pooled * (1 - pooled) * (1 / sizes[0] + 1 / sizes[1]))
    chances = stats.binom.pmf(first, sizes[0], q) * stats.binom.pmf(second, sizes[1], q)
    assert_says(f"| {chances[holds].sum():.3f} (eps 4, groups of 30 and 120) |")


def test_telling_two_groups_apart_takes_the_respondents_of_the_page() -> None:
    p, q = yes_no()
    first, second = (q + (p - q) * share for share in (0.30, 0.25))
    middle = (first + second) / 2
    power = float(special.ndtri(0.8))
    pooled, apart = (
        math.sqrt(2 * sampling_per_respondent(middle)),
        math.sqrt(sampling_per_respondent(first) + sampling_per_respondent(second)),
    )
    n = math.ceil(((Z * pooled + power * apart) / (first - second)) ** 2)
    assert_says(f"with power 0.8 at eps 1 takes {n:,} respondents per group")


def test_the_cross_table_of_the_page_comes_from_its_counts() -> None:
    found = re.search(r"counts (\d+), (\d+), (\d+), (\d+): cells", PAGE)
    assert found
    counts = np.array([int(count) for count in found.groups()]).reshape(2, 2)
    back = np.linalg.inv([[0.8, 0.2], [0.2, 0.8]])
    cells = back @ (counts / counts.sum()) @ back.T
    row, column = cells[0].sum(), cells[:, 0].sum()
    spread = sampling_per_respondent(row) * sampling_per_respondent(column)
    phi = (cells[0, 0] - row * column) / math.sqrt(spread)
    printed = ", ".join(f"{cell:.4f}" for cell in cells.ravel())
    assert_says(f"cells {printed}, phi {phi:.3f}")
    chi_square = stats.chi2_contingency(counts, correction=False).statistic
    assert_says(f"{chi_square:.2f} in the example")


def test_a_cross_question_beats_two_questions_by_the_factor_of_the_page() -> None:
    v = noise(Decimal("0.5"))
    cell = sampling_per_respondent(0.25)
    two = v * v + 2 * v * 0.5 + cell
    one = noise_per_respondent(0.25, *p_q(SubsetSelection.at(ONE, options=4, size=1))) + cell
    assert_says(f"have {two / one:.1f} times the variance of those from one `cross` question")


def test_forced_response_and_the_boundary_have_the_moments_of_the_page() -> None:
    forced = (5 / 6, 1 / 6)
    assert_says(
        f"831 of 2,435 yes give {debiased(831 / 2435, *forced):.4f} with standard error "
        f"{error(831 / 2435, 2435, *forced):.4f}"
    )
    few = yes_no()
    assert_says(f"{debiased(0.2, *few):.3f} with error {error(0.2, 100, *few):.3f}")


def test_a_score_as_predictor_attenuates_as_the_page_says() -> None:
    spread = sampling_per_respondent(0.4)
    slope = 2 * spread / (spread + noise())
    assert_says(f"a slope of 2 becomes {slope:.2f} at eps 1 if the share is 40 %")


DESIGNS = {
    "warner": (0.3, 0.7),
    "forced": (1 / 6, 5 / 6),
    "unrelated": (0.3 * 0.4, 0.7 + 0.3 * 0.4),
    "crosswise": (0.75, 0.25),
    "triangular": (0.3, 1.0),
    "kuk": (0.3, 0.8),
    "mangat": (0.6, 1.0),
}


def test_the_table_of_other_designs_is_computed_from_its_channels() -> None:
    rows = rows_below("kind | parameters")
    assert [row[0].split()[0] for row in rows] == list(DESIGNS)
    for (_, _, *printed), (q, p) in zip(rows, DESIGNS.values(), strict=True):
        reports = [(p, q), (1 - p, 1 - q)]
        leak = max(math.log(max(r) / min(r)) if min(r) > 0 else math.inf for r in reports)
        share, off = debiased(0.42, p, q), error(0.42, 1000, p, q)
        assert printed == [f"{q:.4f}", f"{p:.4f}", f"{leak:.4f}"[:6], f"{share:.4f} ({off:.4f})"]


def test_forced_response_with_three_answers_gives_the_shares_of_the_page() -> None:
    forced, counts = np.array([0.1, 0.05, 0.15]), np.array([240, 310, 250])
    channel = (1 - forced.sum()) * np.eye(3) + np.outer(forced, np.ones(3))
    shares = np.linalg.solve(channel, counts / counts.sum())
    assert_says(f"the shares are {', '.join(f'{share:.4f}' for share in shares)}")


def test_the_levers_of_forged_reports_are_those_of_the_channels() -> None:
    def lever(mechanism: Supporting) -> float:
        p, q = p_q(mechanism)
        return max(p, 1 - q) / (p - q)

    subsets = SubsetSelection.at(ONE, options=20, size=5)
    columns = HadamardResponse.at(ONE, options=20)
    sets = PrivateSet.at(ONE, options=20, at_most=3, size=2)
    assert_says(
        f"L is {lever(RandomizedResponse.at(ONE)):.3f} for yes/no, {lever(subsets):.3f} for 20 "
        f"options by subset selection, {lever(columns):.3f} by Hadamard response, "
        f"{lever(sets):.2f} for at most 3 of 20 boxes by private sets"
    )


def test_the_honest_reports_alone_would_give_what_the_page_says() -> None:
    (p, q), n, c, m = yes_no(), 1000, 400, 50
    low, high = (debiased(count / (n - m), p, q) for count in (c - m, c))
    assert_says(f"With 400 of 1,000 at eps 1 and m = 50: {low:.3f} to {high:.3f}")


def literature() -> set[tuple[str, str]]:
    """Return the first author and the year of every entry at the end of the page."""
    text = " ".join(TEXT.partition("# Literature")[2].replace("\n- ", " @ ").split())
    return set(re.findall(r"(?:@|;|tests:) ([A-Z][\w-]+)[^@;]*? ((?:19|20)\d\d[ab]?)\b", text))


def test_everything_cited_is_in_the_literature_and_nothing_else() -> None:
    body = TEXT.partition("# Literature")[0]
    cited = set(re.findall(r"([A-Z][\w-]+)(?: and Pearson's)? \(?((?:19|20)\d\d[ab]?)\b", body))
    assert cited == literature()
    assert len(cited) > 40


@pytest.mark.parametrize("path", re.findall(r"\]\(([^)#:]+)\)", TEXT))
def test_a_link_of_the_page_leads_somewhere(path: str) -> None:
    assert (ROOT / "docs" / path).exists()
