"""What a trusted curator publishes, with its error bound and a local survey beside it.

Every function draws once and returns plain figures, for JSON and for people. Nothing in a release
of real answers depends on them but through its noise: the local survey beside it is planned, not
drawn, for its reports would spend the epsilon a second time.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from client.core.primitives.domain import Checks, Choice, Levels
from client.core.primitives.refusal import require
from client.core.primitives.values import decimal_text
from estimators.curator.answers import Answers
from estimators.curator.distrust import average_price, price_of_distrust
from estimators.curator.local import LocalSurvey
from estimators.curator.neighbours import (
    Neighbours,
    Sensitivity,
    counting_queries,
    histogram,
    ticked_boxes,
)
from estimators.curator.noise import DiscreteLaplace, Gaussian
from estimators.curator.selection import Auction, Exponential, NoisyMax
from estimators.shares.spread import Array
from estimators.simulation.people.shares import even_shares

Figures = dict[str, Any]

REPLACE = Neighbours.REPLACE_ONE


def release_values(
    answers: Answers, labels: Sequence[str], confidence: float, delta: float | None = None
) -> Figures:
    """How many people gave each of some answers: k counting queries."""
    true = answers.counts[1:] if answers.question.domain == Choice(2) else answers.counts
    moved = counting_queries(len(true))
    return _counts(answers, labels, true, moved, REPLACE, confidence, delta)


def release_histogram(
    answers: Answers, neighbours: Neighbours, confidence: float, delta: float | None = None
) -> Figures:
    """How many people gave each answer, all of them at once.

    Of two options, the second counts everybody who did not give the first.
    """
    domain = answers.question.domain
    labels, true = answers.question.options, answers.counts
    moved = histogram(neighbours)
    if isinstance(domain, Checks):
        moved = ticked_boxes(domain.options, domain.at_most, neighbours)
    elif len(true) == 2:
        # The second of two is everybody else: one count says both where n is public.
        true, moved = (true[0], answers.n - true[0]), counting_queries(1)
    return _counts(answers, labels, true, moved, neighbours, confidence, delta)


def release_top(
    answers: Answers, neighbours: Neighbours, confidence: float, exponential: bool = False
) -> Figures:
    """The most common answer, and nothing else."""
    _check_people(answers, neighbours)
    epsilon, counts = answers.question.epsilon, answers.counts
    mechanism = (
        # Who joins lowers no count; who is replaced may lower one and raise another.
        Exponential(epsilon, Fraction(1), one_sided=neighbours is not REPLACE)
        if exponential
        else NoisyMax(epsilon, neighbours)
    )
    winner = mechanism.choose(counts, answers.words)
    bound = mechanism.shortfall(len(counts), 1 - confidence)
    if neighbours is REPLACE:
        bound = min(bound, answers.n)
    local = _local(answers, neighbours)
    figures = _heading(answers, neighbours, confidence) | {
        "mechanism": "exponential" if exponential else "noisy_max",
        "release": answers.question.options[winner],
        "shortfall_bound": bound,
        "cells": len(counts),
    }
    if answers.is_rehearsal:
        figures["truth"] = answers.question.options[counts.index(max(counts))]
        figures["shortfall"] = max(counts) - counts[winner]
    # While no total is off by more than a bound, two change places within twice that bound.
    beside = local and _beside(
        local, min(2 * local.largest_total_error(confidence), local.n), bound, local.n
    )
    if beside and local and local.totals is not None:
        beside["estimate"] = answers.question.options[int(np.nanargmax(local.totals))]
    return figures | {"local": beside}


def release_mean(answers: Answers, confidence: float) -> Figures:
    """The mean of everybody's number; the number of people is public."""
    _check_people(answers, REPLACE)
    question, n = answers.question, answers.n
    grid = question.kind.grid
    assert grid is not None
    assert isinstance(question.domain, Levels)
    lo, hi, step = float(grid.lo), float(grid.hi), float(grid.step)
    noise = DiscreteLaplace(question.epsilon, question.domain.top)
    true = sum(level * count for level, count in enumerate(answers.counts))
    (released,) = noise.publish([true], answers.words)
    bound = step * noise.largest_error(1, 1 - confidence) / n
    local = LocalSurvey(question, n, answers.local)
    figures = _heading(answers, REPLACE, confidence) | {
        "mechanism": "discrete_laplace",
        "scale": step * float(1 / noise.rate) / n,
        "noise_error": step * math.sqrt(noise.noise_variance) / n,
        "range": [lo, hi],
        "release": lo + step * released / n,
        "error_bound": bound,
    }
    if answers.is_rehearsal:
        figures["truth"] = lo + step * true / n
    beside = _beside(local, local.mean_error(confidence), bound, hi - lo)
    if local.mean is not None:
        beside["estimate"] = local.mean
    even = np.array(even_shares(question.domain))
    return figures | {"local": beside, **_price(answers, even, n, REPLACE)}


def release_price(answers: Answers, auction: Auction, confidence: float) -> Figures:
    """One price for everybody, drawn by the revenue that it would bring."""
    _check_people(answers, REPLACE)
    mechanism = auction.mechanism(answers.question.epsilon)
    revenues = auction.revenues(answers.counts)
    prices = np.array([float(price) for price in auction.prices])
    winner = mechanism.choose(revenues, answers.words)
    # No price brings more than this.
    most = answers.n * float(prices[-1])
    bound = min(most, mechanism.shortfall(len(prices), 1 - confidence))
    local = LocalSurvey(answers.question, answers.n, answers.local)
    figures = _heading(answers, REPLACE, confidence) | {
        "mechanism": "exponential",
        "release": float(prices[winner]),
        "shortfall_bound": bound,
        "cells": len(prices),
    }
    if answers.is_rehearsal:
        chances = mechanism.chances(revenues)
        figures["figures"] = [
            {"price": price, "revenue": float(revenue), "chance": float(chance)}
            for price, revenue, chance in zip(prices.tolist(), revenues, chances, strict=True)
        ]
    local_bound = min(most, 2 * local.largest_tail_error(prices, confidence))
    beside = _beside(local, local_bound, bound, most)
    if local.totals is not None:
        buyers = np.cumsum(local.totals[:0:-1])[::-1]
        beside["estimate"] = float(prices[int(np.argmax(prices * buyers))])
    return figures | {"local": beside}


def _counts(
    answers: Answers,
    labels: Sequence[str],
    true: Sequence[int],
    moved: Sensitivity,
    neighbours: Neighbours,
    confidence: float,
    delta: float | None,
) -> Figures:
    _check_people(answers, neighbours)
    noise = DiscreteLaplace(answers.question.epsilon, int(moved.absolute))
    one_says_all = neighbours is REPLACE and answers.question.domain == Choice(2)
    drawn = 1 if one_says_all else len(true)
    released = noise.publish(true[:drawn], answers.words)
    if drawn < len(true):
        released = (*released, answers.n - released[0])
    bound = noise.largest_error(drawn, 1 - confidence)
    rows: list[Figures] = [
        {"label": label, "release": count} for label, count in zip(labels, released, strict=True)
    ]
    figures = _heading(answers, neighbours, confidence) | {
        "mechanism": "discrete_laplace",
        "scale": float(1 / noise.rate),
        "noise_error": math.sqrt(noise.noise_variance),
        "error_bound": bound,
        "cells": len(true),
        "noisy_cells": drawn,
        "figures": rows,
    }
    if delta is not None:
        gaussian = Gaussian(float(answers.question.epsilon), delta, moved)
        figures["delta"] = delta
        figures["gaussian_error_bound"] = gaussian.largest_error(drawn, 1 - confidence)
    local = _local(answers, neighbours, released)
    if answers.is_rehearsal:
        for row, count in zip(rows, true, strict=True):
            row["truth"] = count
    if local is None:
        return figures | {"local": None}
    if local.totals is not None:
        for row, total in zip(rows, local.totals[-len(true) :].tolist(), strict=True):
            # NaN: nobody was asked about this box.
            row["local"] = total if total == total else None
    beside = _beside(local, local.largest_total_error(confidence), bound, local.n)
    shares = _possible_shares(answers, released, local.n)
    prices = price_of_distrust(answers.question, shares, local.n, neighbours)
    for row, price in zip(rows, prices[-len(true) :], strict=True):
        row["price_of_distrust"] = price.ratio
    return figures | {"local": beside, **_price(answers, shares, local.n, neighbours)}


def _check_people(answers: Answers, neighbours: Neighbours) -> None:
    """Refuse an empty file only where the number of people is public."""
    require(answers.n > 0 or neighbours is not REPLACE, "no_people.answers", "file")


def _heading(answers: Answers, neighbours: Neighbours, confidence: float) -> Figures:
    """What every release says of itself; a number of people that is private is None."""
    # How many cells were unclear is for the curator alone.
    unclear = {"unclear_cells": answers.unclear} if answers.is_rehearsal else {}
    return unclear | {
        "epsilon": decimal_text(answers.question.epsilon),
        "neighbours": neighbours.value,
        "respondents": answers.n if answers.is_rehearsal or neighbours is REPLACE else None,
        "confidence": confidence,
        "seed": answers.seed,
        "simulated": answers.simulated,
        "publishable": not answers.is_rehearsal,
    }


def _local(
    answers: Answers, neighbours: Neighbours, released: Sequence[int] = ()
) -> LocalSurvey | None:
    """The local survey to compare with; None where not even the number of people is public.

    Where who takes part is private, it is the sum of a histogram's released counts.
    """
    if answers.local is not None:
        return LocalSurvey(answers.question, answers.local.n, answers.local)
    if neighbours is REPLACE:
        return LocalSurvey(answers.question, answers.n)
    if released and isinstance(answers.question.domain, Choice):
        return LocalSurvey(answers.question, max(1, sum(released)))
    return None


def _beside(local: LocalSurvey, local_bound: float, bound: float, most: float) -> Figures:
    """The local survey's own bound, and how many times the curator's it is.

    No figure that is cut to what is possible is off by more than `most`.
    """
    mechanism = local.question.mechanism
    return {
        "mechanism": mechanism.name,
        "respondents": local.n,
        # Without a report about some box there is no bound, and JSON has no infinity.
        "error_bound": local_bound if math.isfinite(local_bound) else None,
        "times_the_curators": (
            min(local_bound, most) / min(bound, most)
            if bound and math.isfinite(local_bound)
            else None
        ),
    }


def _possible_shares(answers: Answers, released: Sequence[int], n: int) -> Array:
    """The released counts as shares that can be, even where the noise made them negative."""
    domain = answers.question.domain
    counts = np.clip(np.array(released, dtype=np.float64), 0, n)
    if isinstance(domain, Checks):
        return counts / n
    if len(counts) == 1:
        return np.array([1 - counts[0] / n, counts[0] / n])
    whole = counts.sum()
    shares: Array = counts / whole if whole else np.array(even_shares(domain))
    return shares


def _price(answers: Answers, shares: Array, n: int, neighbours: Neighbours) -> Figures:
    """What trusting nobody costs in respondents, at these shares (math 10)."""
    average = average_price(answers.question, shares, n, neighbours)
    return {
        "curator_respondents": average.curator_respondents,
        "price_of_distrust": average.ratio,
    }
