"""Margins in words: points for shares, the question's unit for means, and no exponents."""

from decimal import Decimal

import numpy as np
import pytest

from client.core.mechanisms import RandomThreshold, SlidingWindow
from estimators.mechanisms.sliding_window import SlidingWindowAnalysis
from estimators.planning.survey_plan import spread_of
from estimators.planning.wording import margin_words, silence_assumed


@pytest.mark.parametrize(
    ("margin", "unit", "words"),
    [
        (0.0474, None, "± 4.74 percentage points"),
        (9.994, None, "± 999 percentage points"),
        (9.996, None, "± 1,000 percentage points"),
        (0.4514, "nights", "± 0.451 nights"),
        (1234.5, "euros", "± 1,234 euros"),
        (3.0, "", "± 3"),
    ],
)
def test_a_margin_has_three_digits_that_count(margin: float, unit: str | None, words: str) -> None:
    assert margin_words(margin, unit).replace("\N{NO-BREAK SPACE}", " ") == words


@pytest.mark.parametrize("silent", [1, 2])
def test_a_plan_assumes_as_much_silence_as_it_says(silent: int) -> None:
    """The planned variances are those of a population with the share in the sentence."""
    mechanism = SlidingWindow.at(Decimal(1), top=10, width=4, silent=silent)
    said = silence_assumed(RandomThreshold.at(Decimal(1), top=10), mechanism)
    assert said == "Where a mean can be declined, 10 % of the people are taken to do so."
    shares = np.append(np.full(11, 0.9 / 11), np.full(silent, 0.1 / silent))
    (noise,) = SlidingWindowAnalysis(mechanism).promised_noise(shares, 1)
    spread = spread_of(mechanism)
    # Even levels from 0 to 10 have the variance 10, and nine in ten people have one.
    assert (spread.noise, spread.sampling) == pytest.approx((float(noise), 10 / 0.9))


def test_a_plan_without_silence_assumes_none() -> None:
    assert silence_assumed(SlidingWindow.at(Decimal(1), top=10, width=4)) == ""
