"""Weighted figures: formulas by hand, and the coverage of their errors in small simulations."""

import math

import numpy as np
import pytest

from client.core.primitives.refusal import Refusal
from estimators.compare.samples import ScoreSample
from estimators.compare.weighting import check_parts, poststratify, rake
from estimators.shares.spread import Array

P = math.e / (1 + math.e)
Q = 1 - P
SCORES = np.array([1 - Q, -Q]) / (P - Q)
REGIONS, AGES = ("north", "south"), ("young", "old")
LEVELS = {"region": ("north", "north", "south", "south"), "age": ("young", "old") * 2}
MARGINS = {"region": {"north": 0.6, "south": 0.4}, "age": {"young": 0.3, "old": 0.7}}


def test_post_stratification_weights_groups_and_their_variances() -> None:
    samples = (ScoreSample(100, 0.5, 2.0), ScoreSample(50, 0.2, 3.0))
    found = poststratify(samples, (0.25, 0.75))
    assert found.value == pytest.approx(0.25 * 0.5 + 0.75 * 0.2)
    assert found.standard_error == pytest.approx(math.sqrt(0.25**2 * 0.02 + 0.75**2 * 0.06))
    weights = np.repeat([0.25 / 100, 0.75 / 50], [100, 50])
    assert found.n == 150
    assert found.effective_n == pytest.approx(weights.sum() ** 2 / (weights**2).sum())


def counts_of(supporting: Array, sizes: Array) -> Array:
    return np.stack((supporting, sizes - supporting), axis=1)


def test_raking_reaches_the_margins_and_weights_by_row_give_the_same() -> None:
    sizes = np.array([80.0, 120, 150, 50])
    counts = counts_of(np.array([30.0, 60, 70, 20]), sizes)
    found = rake(SCORES, counts, LEVELS, MARGINS)
    # The same by rows: weights by hand, residuals of a weighted regression on dummies.
    factors = np.ones(4)
    for _ in range(200):
        for members, parts in (
            (np.array([[1, 1, 0, 0], [0, 0, 1, 1]]), np.array([0.6, 0.4])),
            (np.array([[1, 0, 1, 0], [0, 1, 0, 1]]), np.array([0.3, 0.7])),
        ):
            factors = factors * ((parts * 400 / (members @ (factors * sizes))) @ members)
    cells = np.repeat(np.arange(4), sizes.astype(int))
    scores = np.concatenate([np.repeat(SCORES, own.astype(int)) for own in counts])
    weights = factors[cells]
    dummies = np.stack((np.ones(400), cells >= 2, cells % 2), axis=1).astype(float)
    root = np.sqrt(weights)
    slopes = np.linalg.lstsq(dummies * root[:, None], scores * root, rcond=None)[0]
    residuals = scores - dummies @ slopes
    error = math.sqrt(400 / 399 * ((weights * residuals) ** 2).sum()) / weights.sum()
    assert found.value == pytest.approx(weights @ scores / weights.sum())
    assert found.standard_error == pytest.approx(error)
    assert found.effective_n == pytest.approx(weights.sum() ** 2 / (weights**2).sum())
    assert found.n == 400


def raked(shares: Array, repeats: int) -> tuple[Array, Array]:
    """Return raked estimates and their errors, of samples whose cells are not proportional."""
    generator = np.random.Generator(np.random.SFC64(12))
    chances = np.array([0.1, 0.4, 0.3, 0.2])
    values, errors = np.empty(repeats), np.empty(repeats)
    for place in range(repeats):
        sizes = generator.multinomial(1_000, chances).astype(float)
        supporting = generator.binomial(sizes.astype(int), Q + (P - Q) * shares).astype(float)
        found = rake(SCORES, counts_of(supporting, sizes), LEVELS, MARGINS)
        values[place], errors[place] = found.value, found.standard_error
    return values, errors


def test_raking_is_biased_if_they_interact_as_its_note_says() -> None:
    shares = np.array([0.9, 0.1, 0.1, 0.9])
    truth = 0.6 * 0.3 * 0.9 + 0.6 * 0.7 * 0.1 + 0.4 * 0.3 * 0.1 + 0.4 * 0.7 * 0.9
    values, _ = raked(shares, 200)
    assert abs(values.mean() - truth) > 0.02


@pytest.mark.parametrize(
    ("margins", "reason"),
    [
        ({"age": {"young": 1.0}}, "'old' has none"),
        ({"age": {"young": 0.3, "old": 0.5, "ancient": 0.2}}, "'ancient', which no respondent has"),
    ],
)
def test_margins_that_do_not_fit_the_respondents_are_refused(
    margins: dict[str, dict[str, float]], reason: str
) -> None:
    counts = counts_of(np.full(4, 10.0), np.full(4, 20.0))
    with pytest.raises(Refusal, match=reason):
        rake(SCORES, counts, LEVELS, margins)


def test_margins_that_empty_cells_make_impossible_are_refused() -> None:
    sizes = np.array([0.0, 20, 20, 0])
    with pytest.raises(Refusal, match="cannot all be reached"):
        rake(SCORES, counts_of(sizes / 2, sizes), LEVELS, MARGINS)


def test_parts_sum_to_one_up_to_rounding() -> None:
    assert sum(check_parts("region", {"a": 0.333, "b": 0.333, "c": 0.333}).values()) == 1
    with pytest.raises(Refusal, match=r"must sum to 1, got 0\.9"):
        check_parts("region", {"a": 0.5, "b": 0.4})
    with pytest.raises(Refusal, match=r"must be from 0 to 1, got -0\.1"):
        check_parts("region", {"a": -0.1, "b": 1.1})
    with pytest.raises(Refusal, match="must be from 0 to 1, got nan"):
        check_parts("region", {"a": math.nan, "b": 1.1})
