"""What the clock tells: how many links somebody joins with reports who notes when they arrive.

With personal links a ticket is given when somebody begins, and the report comes some minutes later.
Nothing that is stored joins the two, but whoever writes down the seconds can match them. This
simulates the best such match: people begin at any time, take 5 minutes (log-normal, 0.6), and the
one assignment of reports to tickets that is most likely of all is taken.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import optimize, special

from client.core.access import INVITED
from client.core.survey import Survey
from estimators.shares.spread import Array

MINUTES, SPREAD = 5.0, 0.6
DAY, WEEK = 1440.0, 10080.0
# Only people who begin at about the same time can be mixed up. So many are simulated, and more of
# them in a part of the time.
TOGETHER, RUNS, SEED = 200, 12, 8
# Below the logarithm of any likelihood that matters.
_NEVER = -1e6


@dataclass(frozen=True)
class Timing:
    """The part of links that are joined, by when people send: at once, another day, collected."""

    people: int
    minutes: float
    at_once: float
    another_day: float
    # By guessing.
    collected: float


def percent(part: float) -> str:
    """Word a part that was simulated, which is not known to less than a percent."""
    return "under 1 %" if part < 0.01 else f"{100 * part:.0f} %"


def timing_sentence(survey: Survey, people: int) -> str:
    """Say what the clock tells about a survey by invitation; "" if it is open."""
    if survey.access != INVITED:
        return ""
    found = timing(people)
    if survey.answer_from is not None:
        return (
            "Tickets are collected first. So whoever writes down the second at which tickets and "
            f"reports arrive finds no more of {people:,} people than by guessing, 1 in {people:,}."
        )
    return (
        f"With {people:,} people in a week, whoever writes down the second at which tickets and "
        f"reports arrive could join {percent(found.at_once)} of the links with their reports; "
        f"{percent(found.another_day)} if everybody sends another day; and with answer_from, where "
        f"tickets are collected first, no more than by guessing, 1 in {people:,}."
    )


@lru_cache(64)
def timing(people: int, minutes: float = WEEK) -> Timing:
    """Simulate people who begin at any time within so many minutes."""
    return Timing(
        people,
        minutes,
        at_once=joined_part(people, minutes),
        another_day=joined_part(people, minutes, DAY),
        collected=1 / people,
    )


def joined_part(people: int, minutes: float, wait: float = 0.0) -> float:
    """Return the part of links that are joined if reports wait up to so long before they go."""
    count = min(people, TOGETHER)
    numbers = np.random.Generator(np.random.SFC64(SEED))
    window = minutes * count / people
    return float(np.mean([_joined(numbers, count, window, wait) for _ in range(RUNS)]))


def _joined(numbers: np.random.Generator, count: int, minutes: float, wait: float) -> float:
    begun = numbers.uniform(0, minutes, count)
    sent = begun + MINUTES * np.exp(SPREAD * numbers.standard_normal(count))
    sent += numbers.uniform(0, wait, count) if wait else 0
    likely = _log_density(sent[None, :] - begun[:, None], wait)
    _, matched = optimize.linear_sum_assignment(likely, maximize=True)
    return float(np.mean(matched == np.arange(count)))


def _log_density(gaps: Array, wait: float) -> Array:
    """Return the logarithm of how likely each gap is, apart from a constant."""
    if wait:
        with np.errstate(divide="ignore"):
            inside = np.log(_before(gaps) - _before(gaps - wait))
        return np.maximum(inside, _NEVER)
    positive = np.where(gaps > 0, gaps, 1.0)
    scaled = np.log(positive / MINUTES) / SPREAD
    found: Array = np.where(gaps > 0, -np.log(positive) - scaled**2 / 2, _NEVER)
    return found


def _before(gaps: Array) -> Array:
    """Return the chance that somebody takes less than each gap to answer."""
    positive = np.where(gaps > 0, gaps, 1.0)
    chances: Array = np.where(gaps > 0, special.ndtr(np.log(positive / MINUTES) / SPREAD), 0.0)
    return chances
