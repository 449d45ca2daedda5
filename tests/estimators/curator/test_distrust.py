"""Local survey against trusted curator: same question, same epsilon, same respondents (math 10)."""

import math
from decimal import Decimal

import numpy as np
import pytest
from scipy import optimize

from client.authoring.draft.survey import build_survey
from client.core.primitives.refusal import Refusal
from client.core.question import Question
from estimators.curator.answers import SimulatedWords
from estimators.curator.distrust import (
    Price,
    average_price,
    curated_variances,
    curator_for,
    price_of_distrust,
)
from estimators.curator.neighbours import Neighbours
from estimators.curator.noise import DiscreteLaplace
from estimators.shares.spread import Array
from estimators.simulation.kernels.source import stream
from estimators.tables.promised_errors import promised_variances, value_of_levels
from tests.support.surveys import EVERY_KIND, one_of, yes_no

ADD, REPLACE = Neighbours.ADD_OR_REMOVE_ONE, Neighbours.REPLACE_ONE
QUESTIONS = {question.id: question for question in build_survey(EVERY_KIND).questions}
V = math.e / (math.e - 1) ** 2
# Discrete Laplace noise of rate 1: 2q/(1-q)^2 with q = 1/e.
D = 2 * V


def number(**fields: str) -> Question:
    """The mean of an amount, by random thresholds."""
    question = {"id": "n", "kind": "number", "prompt": "N", "epsilon": "1", **fields}
    return build_survey({"slug": "n", "title": "N", "questions": [question]}).questions[0]


def even(question: Question) -> Array:
    values = value_of_levels(question)
    count = len(question.options) if values is None else len(values)
    return np.full(count, 1 / count)


def test_one_share_by_hand() -> None:
    no, yes = price_of_distrust(yes_no("q", "1"), np.array([0.7, 0.3]), 1000)
    assert (no.label, yes.label) == ("No", "Yes")
    assert yes.local_error == pytest.approx(math.sqrt((V + 0.21) / 1000), rel=1e-6)
    assert yes.central_error == pytest.approx(math.sqrt(D / 1000**2 + 0.21 / 1000))
    assert yes.sampling_variance == pytest.approx(0.21 / 1000)
    assert yes.central_noise_variance == pytest.approx(D / 1000**2)
    # 0.21/m + 1.8413/m^2 = (v + 0.21)/1000 has the root m = 194.12.
    m = yes.curator_respondents
    assert 0.21 / m + D / m**2 == pytest.approx((V + 0.21) / 1000, rel=1e-6)
    assert m == pytest.approx(194.12, abs=0.01)
    assert yes.ratio == pytest.approx(1000 / m)


def test_the_survey_is_compared_with_a_curator_who_protects_as_it_does() -> None:
    """Replace one: the noise on each of four shares is that of a histogram that moves by two."""
    question, shares = one_of("q", 4, "0.5"), np.full(4, 0.25)
    usual = price_of_distrust(question, shares, 100)
    assert usual == price_of_distrust(question, shares, 100, REPLACE)
    released = DiscreteLaplace(Decimal("0.5"), 2).noise_variance
    assert usual[0].central_noise_variance == pytest.approx(released / 100**2)
    assert average_price(question, shares, 100) == average_price(question, shares, 100, REPLACE)


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("n", [1, 30, 10_000, 10**12])
@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_so_many_respondents_give_the_curator_the_local_error(
    question: Question, n: int, neighbours: Neighbours
) -> None:
    shares = even(question)
    noise = curated_variances(question, shares, 1, neighbours)[0][0]
    _, sampling = promised_variances(question, shares, 1)
    for i, price in enumerate(price_of_distrust(question, shares, n, neighbours)):
        wanted = price.local_error**2

        def excess(log_m: float, i: int = i, wanted: float = wanted) -> float:
            m = math.exp(log_m)
            return float(noise / m**2 + sampling[i] / m - wanted) / wanted

        m = math.exp(optimize.brentq(excess, -50, 50, xtol=1e-13))
        assert price.curator_respondents == pytest.approx(m, rel=1e-9)
        assert price.ratio == pytest.approx(n / m, rel=1e-9)


def test_the_price_rises_with_the_respondents() -> None:
    prices = [
        price_of_distrust(yes_no("q", "1"), np.array([0.5, 0.5]), n)[1].ratio for n in (100, 1000)
    ]
    assert [round(price, 2) for price in prices] == [3.68, 4.53]


@pytest.mark.parametrize(
    ("epsilon", "effects"),
    [("0.1", (400.7, 1111)), ("1", (4.683, 11.23)), ("4", (1.076, 1.211))],
)
def test_with_many_respondents_the_price_is_the_design_effect(
    epsilon: str, effects: tuple[float, ...]
) -> None:
    """A curator's noise vanishes before the sampling error: table 12 at shares 1/2 and 1/10."""
    for share, effect in zip((0.5, 0.1), effects, strict=True):
        yes = price_of_distrust(yes_no("q", epsilon), np.array([1 - share, share]), 10**12)[1]
        assert yes.ratio == pytest.approx(effect, rel=5e-4)


def test_where_nobody_says_yes_the_price_grows_with_the_root_of_n() -> None:
    """No sampling error: 2v / m^2 = v/n at any epsilon, so n/m = root (n/2)."""
    for n in (100, 10_000):
        yes = price_of_distrust(yes_no("q", "1"), np.array([1.0, 0.0]), n)[1]
        assert yes.ratio == pytest.approx(math.sqrt(n / 2), rel=1e-6)


def test_a_curator_of_one_person_is_noisier_than_that_person_alone() -> None:
    lone = price_of_distrust(yes_no("q", "1"), np.array([0.5, 0.5]), 1)[1]
    assert lone.central_error > lone.local_error
    assert lone.ratio < 1


@pytest.mark.parametrize(
    ("question", "scales"),
    [
        (yes_no("q", "0.5"), (2, 2)),  # One count says both options.
        (one_of("q", 3, "0.5"), (2, 4)),
        (QUESTIONS["c"], (2, 4)),  # Two boxes of six.
        (QUESTIONS["f"], (3, 3)),  # All of three boxes.
        (QUESTIONS["d"], (10, 10)),  # A scale from 0 to 10.
        (number(lo="-20", hi="40", step="0.5"), (120, 120)),  # In steps.
    ],
)
def test_the_curator_adds_noise_for_the_farthest_neighbours(
    question: Question, scales: tuple[float, float]
) -> None:
    for neighbours, scale in zip((ADD, REPLACE), scales, strict=True):
        assert 1 / curator_for(question.domain, question.epsilon, neighbours).rate == scale


def test_a_mean_is_in_its_own_unit() -> None:
    question = number(lo="-20", hi="40", step="0.5")
    (price,) = price_of_distrust(question, even(question), 500)
    assert price.label == "mean"
    # 120 steps of half a unit; the noise is discrete.
    assert price.central_noise_variance == pytest.approx(
        0.25 * DiscreteLaplace(Decimal(1), 120).noise_variance / 500**2
    )
    assert price.central_noise_variance == pytest.approx(2 * 60**2 / 500**2, rel=1e-4)
    # Evenly spread over 121 levels, half a unit apart.
    assert price.sampling_variance == pytest.approx(0.25 * (121**2 - 1) / 12 / 500)
    assert price.local_error > price.central_error


def test_the_average_price_is_that_of_the_average_variances() -> None:
    question, shares = one_of("q", 4, "0.5"), np.array([0.5, 0.3, 0.2, 0.0])
    each = price_of_distrust(question, shares, 50, REPLACE)
    average = average_price(question, shares, 50, REPLACE)
    assert average.respondents == 50
    assert average.local_error**2 == pytest.approx(np.mean([p.local_error**2 for p in each]))
    assert average.central_error**2 == pytest.approx(np.mean([p.central_error**2 for p in each]))
    assert min(p.ratio for p in each) < average.ratio < max(p.ratio for p in each)


def test_a_simulated_curator_errs_as_much_as_the_formulas_say() -> None:
    """Four shares and a mean over 4,000 samples of 50 people; five standard errors of the RMSE.

    One seed in a hundred thousand would fail; Laplace's heavier tail is allowed for.
    """
    n, repeats, source, words = 50, 4000, stream(17), SimulatedWords(17)
    near = 5 * math.sqrt(5 / 4 / repeats)
    choice, amount = one_of("q", 4, "0.5"), number(lo="10", hi="15", step="1")
    truth = np.array([0.5, 0.3, 0.2, 0.0])
    counts = source.multinomial(n, truth, repeats)
    noise = DiscreteLaplace(Decimal("0.5"), 2)
    shares = np.array([noise.publish(row, words) for row in counts.tolist()]) / n
    central, sampling = curated_variances(choice, truth, n, REPLACE)
    found = np.sqrt(((shares - truth) ** 2).mean(axis=0))
    assert found == pytest.approx(np.sqrt(central + sampling), rel=near)
    sums = source.multinomial(n, even(amount), repeats) @ np.arange(6)
    means = 10 + np.array(DiscreteLaplace(Decimal(1), 5).publish(sums.tolist(), words)) / n
    (price,) = price_of_distrust(amount, even(amount), n, REPLACE)
    rmse = math.sqrt(((means - 12.5) ** 2).mean())
    assert rmse == pytest.approx(price.central_error, rel=near)


@pytest.mark.parametrize("n", [0, -5, 1.5, math.nan])
def test_respondents_that_cannot_be_are_refused(n: int) -> None:
    with pytest.raises(Refusal, match="respondents must be an integer of at least 1"):
        price_of_distrust(yes_no("q", "1"), np.array([0.5, 0.5]), n)


def test_equal_noise_costs_nothing() -> None:
    same = Price("x", 100, 0.02, 0.02, 0.01)
    assert same.ratio == pytest.approx(1)
    assert same.local_error == same.central_error
