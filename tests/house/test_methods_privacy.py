"""Part 2 of docs/methods.md is true: its figures are recomputed here."""

import math
from decimal import Decimal

import numpy as np
import pytest
from scipy import optimize, stats

from estimators.planning.target import margin_for, respondents_for
from estimators.shares.spread import Array, design_effect, sampling_per_respondent
from tests.support.methods_page import assert_says, debiased, noise, percent, rows_below, yes_no


def believed(prior: float, factor: float) -> float:
    """Return the belief after the odds were multiplied by this factor."""
    return prior * factor / (prior * factor + 1 - prior)


def test_the_worked_example_of_odds_is_right() -> None:
    p, q = yes_no()
    assert_says(f"rise from 1 : 9 to {p / q:.3f} : 9, that is from 10 % to")
    assert_says(f"from 10 % to {percent(believed(0.1, p / q))}")
    assert_says(f'The report "no" lowers them to {percent(believed(0.1, q / p))}')


def test_the_table_of_odds_is_computed_from_the_randomizer() -> None:
    rows = rows_below("eps | e^eps")
    assert [row[0] for row in rows] == ["0.1", "0.5", "1", "2", "4"]
    for text, *printed in rows:
        epsilon = Decimal(text)
        p, q = yes_no(epsilon)
        worth = 1000 / design_effect(noise(epsilon), 0.25)
        beliefs = [percent(believed(prior, p / q)) for prior in (0.01, 0.1, 0.5)]
        figures = [f"{p / q:.3f}", percent(p), *beliefs, f"{noise(epsilon):#.4g}", f"{worth:.0f}"]
        assert printed == figures


def least_delta(epsilon: float, one: Array, other: Array) -> float:
    """Return the least delta with which two distributions of outputs are (epsilon, delta) close."""
    return float(np.maximum(one - math.exp(epsilon) * other, 0).sum())


def test_junk_or_everything_satisfies_zero_and_delta() -> None:
    assert_says("It satisfies (0, delta)")
    delta = 1 / 1000
    # The outputs are: junk, the answers of one database, the answers of its neighbour.
    one, other = np.array([1 - delta, delta, 0]), np.array([1 - delta, 0, delta])
    assert least_delta(0, one, other) == pytest.approx(delta)
    # A pure promise would bound this ratio.
    assert np.any((one > 0) & (other == 0))
    somebody = 1 - (1 - delta) ** 1000
    assert_says(f"somebody's answer is published with probability {percent(somebody)}")


def test_the_privacy_loss_has_the_law_of_the_page() -> None:
    p, q = yes_no()
    losses, chances = np.log([p / q, q / p]), np.array([p, q])
    assert losses == pytest.approx([1, -1], abs=1e-6)
    assert_says(f"it is +1 with probability {p:.3f} and -1 with probability {q:.3f}")
    assert_says(f"its mean is {float(losses @ chances):.3f}")
    delta = least_delta(0.5, chances, chances[::-1])
    by_loss = float(chances @ np.maximum(0, 1 - np.exp(0.5 - losses)))
    assert delta == pytest.approx(by_loss)
    assert_says(f"at eps 1 is also (0.5, {delta:.3f})-private")


def composed(questions: int, each: float, delta: float) -> float:
    """Return the exact epsilon at this delta of several yes/no questions together."""
    kept = np.arange(questions + 1)
    p, _ = yes_no(Decimal(str(each)))
    chances = stats.binom.pmf(kept, questions, p)
    one, other = chances, chances[::-1]
    top = questions * each
    return float(optimize.brentq(lambda e: least_delta(e, one, other) - delta, 0, top - 1e-12))


def test_composition_costs_what_the_page_says() -> None:
    ten, fifty = composed(10, 0.1, 1e-6), composed(50, 0.1, 1e-6)
    assert_says(f"ten at 0.1 each are 1 in sum and {ten:.4f} at delta = 0.000001")
    assert_says(f"fifty are 5 in sum and {fifty:.3f}")


def test_repeats_and_households_lose_what_the_page_says() -> None:
    p, q = yes_no()
    right = float(stats.binom.sf(10, 21, p))
    assert_says(f"21 fresh reports at eps 1 is right with probability {percent(right)}")
    assert_says(f"where one is right with {percent(p)}")
    # Four people who answer alike: all four reports against their opposites.
    assert_says(f"a factor of {(p / q) ** 4:.1f} instead of {p / q:.3f}")


def shuffled(n: int, delta: float) -> float:
    """Return eps' of n yes/no reports at eps 1, by the bound of Balle 2019 summed exactly."""
    p, q = yes_no()
    ratio = p / q
    blanket = 1 / (ratio + 1)
    one, other = (grid.ravel() for grid in np.indices((n + 1, n + 1)))
    inside = one + other <= n
    one, other = one[inside], other[inside]
    chances = stats.multinomial.pmf(
        np.column_stack([one, other, n - one - other]), n, [blanket, blanket, 1 - 2 * blanket]
    )

    def excess(epsilon: float) -> float:
        e = math.exp(epsilon)
        sums = one * (ratio - e) + other * (1 - e * ratio)
        return float((chances * np.maximum(sums, 0)).sum()) / n - delta

    return float(optimize.brentq(excess, 1e-3, 1.0, xtol=1e-6))


def test_readers_of_published_figures_learn_what_the_page_says() -> None:
    many, some, few = (shuffled(n, 1e-6) for n in (1000, 200, 50))
    assert_says(f"eps' = {many:.3f} with 1,000 reports, {some:.3f} with 200, {few:.3f} with 50")
    growth = math.expm1(4 * many) / math.expm1(many)
    assert_says(
        f"Households of four: {4 * many:.2f} with 1,000 reports, and {growth:.1f} times the delta"
    )


def test_small_groups_have_the_margins_of_the_page() -> None:
    each = noise() + sampling_per_respondent(0.5)
    small, large = (100 * margin_for(each, n) for n in (50, 1000))
    assert_says(f"{small:.1f} points in a group of 50, and of {large:.1f} points among 1,000")
    direct = 100 * margin_for(sampling_per_respondent(0.5), 50)
    assert_says(f"A direct question to 50 people has {direct:.1f}")
    assert_says(f"a margin of 5 points takes {respondents_for(each, 0.05):,} respondents")


def test_asking_each_person_one_question_costs_what_the_page_says() -> None:
    split = noise(Decimal("0.1"))
    sampled = 10 * noise() + 9 * sampling_per_respondent(0.5)
    assert_says(f"cost a variance of {split:.1f} per respondent and question")
    assert_says(f"at random costs {sampled:.1f}")


def test_people_who_always_say_no_bias_as_the_page_says() -> None:
    p, q = yes_no()
    assert_says(f"a true 30 % is estimated as {percent(0.95 * 0.3)}, as with a direct question")
    estimated = 0.95 * 0.3 + 0.05 * debiased(0, p, q)
    assert_says(f"as with dice and paper, it is {percent(estimated)} at eps 1")
