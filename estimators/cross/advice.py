"""Whether one question about both would have been better than two questions (math 15)."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, cast

import numpy as np

from client.authoring.draft.mechanism_choice import candidates
from client.core.kinds import SHARES
from client.core.kinds.choice import MAX_SIDE
from client.core.mechanisms import TwoLevel
from client.core.primitives.domain import Choice
from client.core.question import Question
from estimators.mechanisms import analysis_of
from estimators.mechanisms.analysis import ChoiceAnalysis
from estimators.shares.spread import Array


@dataclass(frozen=True)
class Advice:
    """What one `cross` question with the same total epsilon would have given.

    Each figure is a variance of the two questions divided by that of the one, if all answers are
    equally common: above 1 the one question is better, as if so many times as many people had
    answered.
    """

    epsilon: float
    cell_gain: float
    row_gain: float
    column_gain: float


def advise(first: Question, second: Question) -> Advice | None:
    """Compare two questions with one about both; None if a table would be too large for one."""
    sides = [len(question.options) for question in (first, second)]
    if not all(2 <= side <= MAX_SIDE for side in sides):
        return None
    return compare_designs(first.mechanism, second.mechanism, sides, first.epsilon + second.epsilon)


def compare_designs(
    first: TwoLevel, second: TwoLevel, sides: Sequence[int], epsilon: Decimal
) -> Advice:
    """Compare mechanisms for one choice each with the best mechanism for both together.

    `sides` are the options of the two, `epsilon` is for both together.
    """
    rows, columns = sides
    size = rows * columns
    one, other = _mean_square(first, rows), _mean_square(second, columns)
    spread = _spread(candidates(Choice(size), SHARES, epsilon)[0], size)
    # The first row of the table is the first options, the first column every so many of them.
    row, column = np.zeros(size), np.zeros(size)
    row[:columns], column[::columns] = 1, 1
    return Advice(
        float(epsilon),
        (one * other - 1 / size**2) / float(spread[0, 0]),
        (one - 1 / rows**2) / float(row @ spread @ row),
        (other - 1 / columns**2) / float(column @ spread @ column),
    )


def _mean_square(mechanism: TwoLevel, options: int) -> float:
    """Return the mean squared score of an option, if all options are equally common."""
    even = np.full(options, 1 / options)
    return float(analysis_of(mechanism).promised_noise(even, 1)[0]) + 1 / options


def _spread(mechanism: TwoLevel, options: int) -> Array:
    """Return the covariance of all options' scores, if all options are equally common."""
    even = np.full(options, 1 / options)
    analysis = cast(ChoiceAnalysis[Any], analysis_of(mechanism))
    return analysis.noise_times(even, np.eye(options)) + np.diag(even) - np.outer(even, even)
