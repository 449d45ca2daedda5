"""The curator's samplers: exactly the probabilities that they promise, from words alone."""

import ast
import json
import math
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from estimators.curator import sampling
from estimators.curator.answers import SimulatedWords
from estimators.curator.sampling import bernoulli, bernoulli_exp, discrete_laplace, uniform
from tests.support.exact_channel import Walk, paths
from tests.vectors.tapes import Tape


def chances(sample: Callable[[Walk], Any], most_words: int) -> tuple[dict[Any, Fraction], Fraction]:
    """The exact probability of every result within so many words, and that of needing more."""
    found: Counter[Any] = Counter()
    left = Fraction(0)
    for result, _, probability in paths(sample, set(), most_words):
        if result is None:
            left += probability
        else:
            found[json.loads(result)] += probability
    return {result: Fraction(chance) for result, chance in found.items()}, left


@pytest.mark.parametrize("x", ["0", "1/3", "1/2", "1", "3/2"])
def test_a_coin_of_exp_minus_x_falls_so_often_exactly(x: str) -> None:
    def toss(walk: Walk) -> bool:
        return bernoulli_exp(walk, Fraction(x))

    found, left = chances(toss, 7)
    assert left < Fraction(1, 500)
    # Words that do not divide evenly shift a chance by less than 2^-28.
    slack = Fraction(1, 2**28)
    assert float(found[True] - slack) <= math.exp(-Fraction(x))
    assert math.exp(-Fraction(x)) <= float(found[True] + left + slack)


@pytest.mark.parametrize(
    ("rate", "longer"), [("1", 0.14), ("2", 0.25), ("1/2", 0.3), ("2/3", 0.35)]
)
def test_discrete_laplace_noise_has_its_law_exactly(rate: str, longer: float) -> None:
    """Every probability lies between that of the short draws and that plus all longer ones."""
    found, left = chances(lambda walk: discrete_laplace(walk, Fraction(rate)), 9)
    assert left < longer
    q = math.exp(-Fraction(rate))
    for z in range(-4, 5):
        law = (1 - q) / (1 + q) * q ** abs(z)
        # Words that do not divide evenly shift a chance by less than 2^-28.
        assert float(found.get(z, Fraction(0))) <= law + 2**-28
        assert law <= float(found.get(z, Fraction(0)) + left) + 2**-28
        assert found.get(z) == found.get(-z)


@pytest.mark.parametrize("rate", ["1/10", "1", "7/3", "333333/2000000"])
def test_many_draws_of_discrete_laplace_noise_follow_its_law(rate: str) -> None:
    """One false alarm in a million seeds; this seed raises none."""
    words, q = SimulatedWords(8), math.exp(-Fraction(rate))
    drawn = np.array([discrete_laplace(words, Fraction(rate)) for _ in range(10_000)])
    reach = max(1, int(3 / Fraction(rate)))
    sizes = np.arange(-reach, reach + 1)
    law = (1 - q) / (1 + q) * q ** np.abs(sizes)
    found = np.array([(drawn == z).sum() for z in sizes])
    rest, beyond = len(drawn) - found.sum(), 1 - law.sum()
    counts, expected = np.array([*found, rest]), len(drawn) * np.array([*law, beyond])
    assert stats.chisquare(counts, expected).pvalue > 1e-6
    assert (drawn > 0).any()
    assert (drawn < 0).any()


def test_large_bounds_take_several_words_and_stay_uniform() -> None:
    assert uniform(Tape([0, 5]), 2**40) == 5
    assert uniform(Tape([3, 5]), 2**40) == 3 * 2**32 + 5
    # The last part of all pairs is not a whole multiple: it is drawn again.
    third = 2**64 // 3
    assert uniform(Tape([2**32 - 1, 2**32 - 1, 0, 7]), third) == 7
    assert uniform(Tape([2**32 - 1, 2**32 - 2]), third) == (2**64 - 2) % third


def test_a_fraction_is_the_chance_of_its_coin() -> None:
    found, left = chances(lambda walk: bernoulli(walk, Fraction(3, 8)), 1)
    assert (found[True], left) == (Fraction(3, 8), Fraction(0))


@pytest.mark.parametrize("bad", ["0", "-1/2"])
def test_rates_and_exponents_out_of_range_are_refused(bad: str) -> None:
    with pytest.raises(ValueError, match="rate must be above 0"):
        discrete_laplace(Tape([]), Fraction(bad))
    with pytest.raises(ValueError, match="x must be at least 0"):
        bernoulli_exp(Tape([]), Fraction(bad) - 1)


def test_the_samplers_compute_with_integers_only() -> None:
    tree = ast.parse(Path(str(sampling.__file__)).read_text())
    imported = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert imported == ["fractions", "client.core.primitives.words"]
    for node in ast.walk(tree):
        assert not isinstance(node, ast.Import)
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float | Decimal))
