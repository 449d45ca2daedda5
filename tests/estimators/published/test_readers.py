"""What readers of published figures learn: the table of math 9, and attacks on the bound."""

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from itertools import combinations_with_replacement, product
from math import exp, log

import pytest

from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomizedResponse,
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    SubsetSelection,
    TwoLevel,
)
from estimators.mechanisms import analysis_of
from estimators.published.loss import MOST_ATOMS, Loss, question_loss, report_loss
from estimators.published.readers import (
    MOST_REPORTS,
    delta_at,
    readers_bound,
    round_up,
    smallest_epsilon,
)
from tests.support.exact_channel import answers_of
from tests.support.process import ROOT

ONE = Decimal(1)
# The chance of every tally: how many reports of each kind.
Tallies = dict[tuple[int, ...], float]
# Small shapes, in which every report and every pair of answers can be listed.
SHAPES: list[TwoLevel] = [
    RandomizedResponse.at(ONE),
    SubsetSelection.at(ONE, options=3, size=1),
    SubsetSelection.at(ONE, options=6, size=3),
    HadamardResponse.at(ONE, options=5),
    SampledChecks.at(ONE, options=3, asked=1),
    SampledChecks.at(ONE, options=3, asked=2),
    PrivateSet.at(ONE, options=5, at_most=2, size=2),
    PrivateSet.at(ONE, options=3, at_most=2, size=2),
    RandomThreshold.at(ONE, top=4),
    SlidingWindow.at(ONE, top=5, width=2),
    SlidingWindow.at(ONE, top=3, width=3),
]


def best_size(options: int, epsilon: Decimal) -> int:
    return max(1, round(options / (exp(epsilon) + 1)))


def shapes_of_the_table(epsilon: Decimal) -> list[TwoLevel]:
    size = best_size(100, epsilon)
    return [
        RandomizedResponse.at(epsilon),
        SubsetSelection.at(epsilon, options=5, size=1),
        SubsetSelection.at(epsilon, options=100, size=size),
        HadamardResponse.at(epsilon, options=100),
    ]


def table() -> list[list[str]]:
    """Return the rows of the table in section 9 of the estimators' README."""
    text = (ROOT / "estimators" / "README.md").read_text("utf-8")
    section = text.partition("## 9. ")[2].partition("\n## ")[0]
    lines = re.findall(r"^\| ([\d.]+ \| [\d,]+ \|.*) \|$", section, re.MULTILINE)
    return [line.split(" | ") for line in lines]


@pytest.mark.parametrize("row", table(), ids=lambda row: " ".join(row[:2]))
def test_the_table_of_readers_comes_out_figure_by_figure(row: list[str]) -> None:
    epsilon, n = Decimal(row[0]), int(row[1].replace(",", ""))
    for mechanism, printed in zip(shapes_of_the_table(epsilon), row[2:], strict=True):
        loss = question_loss(mechanism, epsilon)
        found = smallest_epsilon(loss, n, 1e-6, float(epsilon))
        assert found == pytest.approx(float(printed), abs=6e-5)


def test_the_table_has_every_case() -> None:
    assert len(table()) == 14


def test_a_bit_that_is_drawn_counts_as_one_that_is_not() -> None:
    expected = question_loss(RandomizedResponse.at(ONE), ONE)
    for mechanism in (
        RandomThreshold.at(ONE, top=9),
        SampledChecks.at(ONE, options=9, asked=1),
    ):
        assert (question_loss(mechanism, ONE).mass == expected.mass).all()


def test_several_questions_of_one_report_multiply() -> None:
    half = Decimal("0.5")
    loss = report_loss([(RandomizedResponse.at(half), half)] * 3, 3)
    assert loss is not None
    assert smallest_epsilon(loss, 1_000, 1e-6, 1.5) == pytest.approx(0.1530, abs=5e-5)
    assert len(loss) == 4


def test_draws_within_one_question_multiply_too() -> None:
    two = question_loss(SampledChecks.at(ONE, options=5, asked=2), ONE)
    half = Decimal("0.5")
    separate = report_loss([(RandomizedResponse.at(half), half)] * 2, 2)
    assert separate is not None
    assert sorted(two.mass) == pytest.approx(sorted(separate.mass))


def every_chance(mechanism: TwoLevel) -> dict[str, list[Fraction]]:
    """Return P(report | answer) of every report for every answer, at the delivered epsilon."""
    analysis = analysis_of(mechanism)
    reports = analysis.reports()
    return {
        str(answer): analysis.chances(reports, answer) for answer in answers_of(mechanism.domain)
    }


@pytest.mark.parametrize("mechanism", SHAPES, ids=lambda m: f"{m.name} {m.shape}")
def test_no_pair_of_answers_loses_more_than_the_atoms(mechanism: TwoLevel) -> None:
    """The positive part of one report's loss, over all pairs, is at most that of the atoms."""
    chances = every_chance(mechanism)
    # All reports are far from some answer, except a few that are near to all of them.
    rare = min(min(row) for row in chances.values())
    loss = question_loss(mechanism, ONE)
    for factor, shift in product((1.0, 1.5, 2.5), (-3.0, -1.0, 0.0, 0.5, 2.0)):
        found = max(
            sum(
                float(rare) * max(0.0, float(a / rare) - factor * float(b / rare) - shift)
                for a, b in zip(one, other, strict=True)
            )
            for one, other in product(chances.values(), repeat=2)
        )
        atoms = sum(
            mass * max(0.0, exp(a) - factor * exp(b) - shift)
            for a, b, mass in zip(loss.log_one, loss.log_other, loss.mass, strict=True)
        )
        # Some pair is as bad as that: nothing is given away.
        assert found == pytest.approx(atoms, abs=1e-7)


def tally_of(reports: list[list[float]]) -> Tallies:
    """Return the distribution of the counts of all reports, each with its own chances."""
    found: Tallies = {(0,) * len(reports[0]): 1.0}
    for chances in reports:
        following: Tallies = {}
        for counts, chance in found.items():
            for report, more in enumerate(chances):
                after = (*counts[:report], counts[report] + 1, *counts[report + 1 :])
                following[after] = following.get(after, 0.0) + chance * more
        found = following
    return found


def exact_delta(mechanism: TwoLevel, n: int, epsilon: float) -> float:
    """Return the delta of the worst two neighbouring surveys of n people, by enumeration."""
    chances = [[float(part) for part in row] for row in every_chance(mechanism).values()]
    return max(over(*pair, epsilon) for pair in neighbours(chances, n))


def over(one: Tallies, other: Tallies, epsilon: float) -> float:
    """Return the delta with which one tally is within e^epsilon of the other."""
    return sum(max(0.0, chance - exp(epsilon) * other[counts]) for counts, chance in one.items())


def neighbours(chances: list[list[float]], n: int) -> Iterator[tuple[Tallies, Tallies]]:
    """Yield the tallies of every two surveys of n people that differ in one answer."""
    for others in combinations_with_replacement(chances, n - 1):
        tallies = [tally_of([*others, own]) for own in chances]
        yield from ((a, b) for a, b in product(tallies, repeat=2) if a is not b)


def test_the_exact_delta_of_six_yes_no_answers_lies_below_the_bound() -> None:
    mechanism = RandomizedResponse.at(ONE)
    loss = question_loss(mechanism, ONE)
    for epsilon, exact, bound in [
        (0.1, 0.1467, 0.1702),
        (0.3, 0.0916, 0.1050),
        (0.6, 0.0503, 0.0505),
    ]:
        assert exact_delta(mechanism, 6, epsilon) == pytest.approx(exact, abs=5e-5)
        assert delta_at(loss, 6, epsilon) == pytest.approx(bound, abs=5e-5)


@pytest.mark.parametrize(
    ("mechanism", "most"),
    [
        (RandomizedResponse.at(ONE), 9),
        (SubsetSelection.at(ONE, options=3, size=1), 5),
        (HadamardResponse.at(ONE, options=3), 3),
        (SlidingWindow.at(ONE, top=2, width=1), 3),
    ],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_no_small_survey_breaks_the_bound(mechanism: TwoLevel, most: int) -> None:
    loss = question_loss(mechanism, ONE)
    for n in range(2, most + 1):
        for epsilon in (0.02, 0.2, 0.5, 0.8):
            assert exact_delta(mechanism, n, epsilon) <= delta_at(loss, n, epsilon) + 1e-9


def test_two_questions_of_three_people_do_not_break_the_bound() -> None:
    """The tally of whole reports shows more than the tallies of both questions."""
    half = Decimal("0.5")
    loss = report_loss([(RandomizedResponse.at(half), half)] * 2, 2)
    assert loss is not None
    keep = float(RandomizedResponse.at(half).keep)
    rows = [
        [(keep if a == x else 1 - keep) * (keep if b == y else 1 - keep) for a, b in BITS]
        for x, y in BITS
    ]
    for epsilon in (0.05, 0.3, 0.7):
        exact = max(over(*pair, epsilon) for pair in neighbours(rows, 3))
        assert exact <= delta_at(loss, 3, epsilon) + 1e-9


BITS = list(product((0, 1), repeat=2))


def test_one_of_two_questions_for_each_person_does_not_break_the_bound() -> None:
    loss = report_loss([(RandomizedResponse.at(ONE), ONE)] * 2, 1)
    assert loss is not None
    keep = float(RandomizedResponse.at(ONE).keep)
    rows = [
        [(keep if bit == answers[drawn] else 1 - keep) / 2 for drawn, bit in BITS]
        for answers in BITS
    ]
    # As much as one question: the other one is not asked.
    assert loss.mass.sum() == pytest.approx(2 / (1 + exp(1)))
    for epsilon in (0.05, 0.3, 0.7):
        exact = max(over(*pair, epsilon) for pair in neighbours(rows, 3))
        assert exact <= delta_at(loss, 3, epsilon) + 1e-9


def test_the_grid_loses_nothing_where_one_atom_is_extreme() -> None:
    """Four strong questions of few people: exact sums over all numbers of each atom."""
    two = Decimal(2)
    loss = report_loss([(RandomizedResponse.at(two), two)] * 4, 4)
    assert loss is not None
    for n in (2, 4):
        for epsilon in (0.5, 3.0, 7.0):
            exact = positive_part(loss, n, epsilon) / n
            assert delta_at(loss, n, epsilon) >= exact * (1 - 1e-9)
            assert delta_at(loss, n, epsilon) == pytest.approx(exact, rel=0.02)


def positive_part(loss: Loss, n: int, epsilon: float) -> float:
    """Return E[(Z_1 + .. + Z_n)_+] by listing all sums."""
    values = [exp(a) - exp(epsilon + b) for a, b in zip(loss.log_one, loss.log_other, strict=True)]
    terms = [(0.0, 1 - float(loss.mass.sum())), *zip(values, loss.mass.tolist(), strict=True)]
    sums = reduce(
        lambda found, _: [(a + b, p * q) for a, p in found for b, q in terms],
        range(n),
        [(0.0, 1.0)],
    )
    return sum(chance * max(0.0, value) for value, chance in sums)


def test_two_of_a_household_do_not_break_the_bound_for_both() -> None:
    """Twice epsilon, with delta (e^(2 epsilon) - 1)/(e^epsilon - 1) times as large."""
    mechanism = RandomizedResponse.at(ONE)
    no, yes = ([float(part) for part in row] for row in every_chance(mechanism).values())
    loss = question_loss(mechanism, ONE)
    for epsilon in (0.05, 0.2, 0.4):
        promised = delta_at(loss, 6, epsilon) * (exp(2 * epsilon) - 1) / (exp(epsilon) - 1)
        for others in combinations_with_replacement((no, yes), 4):
            one, other = (tally_of([*others, own, own]) for own in (no, yes))
            assert over(one, other, 2 * epsilon) <= promised
            assert over(other, one, 2 * epsilon) <= promised


@pytest.mark.parametrize("n", [50, 200])
def test_readers_never_learn_more_than_the_server(n: int) -> None:
    for epsilon in (Decimal("0.1"), ONE, Decimal(8)):
        loss = question_loss(RandomizedResponse.at(epsilon), epsilon)
        assert 0 < smallest_epsilon(loss, n, 1e-6, float(epsilon)) <= epsilon


def test_a_bound_is_printed_only_if_it_says_more_than_epsilon() -> None:
    def bound(epsilon: str, n: int) -> float | None:
        budget = Decimal(epsilon)
        found = readers_bound([(RandomizedResponse.at(budget), budget)], 1, budget, n)
        return None if found is None else found.epsilon

    assert bound("1", 10_000) == 0.044
    assert bound("0.5", 50) == 0.31
    assert bound("1", 50) == 0.76
    assert bound("2", 50) is None
    assert bound("2", 200) == 1.1


def test_delta_is_at_most_a_hundredth_of_one_report() -> None:
    found = readers_bound([(RandomizedResponse.at(ONE), ONE)], 1, ONE, 12_500)
    assert found is not None
    assert (found.one_in, found.delta, found.n) == (1_250_000, 1 / 1_250_000, 12_500)


def test_more_reports_than_the_cap_count_as_the_cap() -> None:
    loss = question_loss(RandomizedResponse.at(ONE), ONE)
    assert delta_at(loss, 10 * MOST_REPORTS, 0.01) == delta_at(loss, MOST_REPORTS, 0.01) > 0


def test_too_many_atoms_claim_nothing() -> None:
    budgets = [Decimal(f"0.1{2**place:04d}") for place in range(9)]
    questions = [(SubsetSelection.at(budget, options=9, size=3), budget) for budget in budgets]
    assert 4 ** len(questions) > MOST_ATOMS
    assert report_loss(questions, len(questions)) is None
    assert readers_bound(questions, len(questions), sum(budgets, Decimal(0)), 1_000) is None


def test_a_grid_too_large_to_compute_claims_nothing() -> None:
    four = Decimal(4)
    questions = [(RandomizedResponse.at(four), four)] * 5
    loss = report_loss(questions, 5)
    assert loss is not None
    assert delta_at(loss, 1_000, 20.0) == 1
    assert readers_bound(questions, 5, Decimal(20), 1_000) is None


def test_figures_are_rounded_up() -> None:
    assert [round_up(figure) for figure in (0.0529, 0.053, 0.99001, 1.21, 0.00141)] == [
        *(0.053, 0.053, 1.0, 1.3, 0.0015)
    ]


def test_the_closed_form_of_yes_no_is_never_better() -> None:
    """Feldman, McMillan and Talwar (2023), for randomized response."""
    for epsilon, n in [(0.5, 1_000), (1.0, 2_000)]:
        ratio, delta = exp(epsilon), 1e-6
        spread = 4 * (2 * log(4 / delta) / ((ratio + 1) * n)) ** 0.5 + 4 / n
        closed = log(1 + (ratio - 1) * spread)
        budget = Decimal(str(epsilon))
        loss = question_loss(RandomizedResponse.at(budget), budget)
        assert smallest_epsilon(loss, n, delta, epsilon) <= closed


def test_the_number_of_draws_is_the_binomial_coefficient() -> None:
    loss = report_loss([(RandomizedResponse.at(ONE), ONE)] * 5, 2)
    assert loss is not None
    # Whichever two of five are drawn, the atoms are those of two questions.
    two = report_loss([(RandomizedResponse.at(ONE), ONE)] * 2, 2)
    assert two is not None
    assert loss.mass == pytest.approx(two.mass)


def yes_no_bound(n: int, whole: float, epsilon: float) -> float:
    """Return the bound of delta for n yes/no answers."""
    budget = Decimal(str(whole))
    return delta_at(question_loss(RandomizedResponse.at(budget), budget), n, epsilon)
