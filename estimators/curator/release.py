"""What a trusted curator publishes, with its error bound and a local survey to compare with.

Every function draws once and returns plain figures, for JSON and for people. A release of real
answers depends on them only through its noise: the local survey it is compared with is planned, not
drawn, because its reports would spend the epsilon a second time.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from client.core.primitives.domain import Checks, Choice, Levels
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
    """Release how many people gave each of some answers: k counting queries."""
    true = answers.counts[1:] if answers.question.domain == Choice(2) else answers.counts
    moved = counting_queries(len(true))
    return _counts(answers, labels, true, moved, REPLACE, confidence, delta)


def release_histogram(
    answers: Answers, neighbours: Neighbours, confidence: float, delta: float | None = None
) -> Figures:
    """Release how many people gave each answer, all answers at once."""
    domain = answers.question.domain
    moved = histogram(neighbours)
    if isinstance(domain, Checks):
        moved = ticked_boxes(domain.options, domain.at_most, neighbours)
    labels = answers.question.options
    return _counts(answers, labels, answers.counts, moved, neighbours, confidence, delta)


def release_top(
    answers: Answers, neighbours: Neighbours, confidence: float, exponential: bool = False
) -> Figures:
    """Release the most common answer, and nothing else."""
    epsilon, counts = answers.question.epsilon, answers.counts
    mechanism = (
        # A person who joins lowers no count; a replaced one may lower one and raise another.
        Exponential(epsilon, Fraction(1), one_sided=neighbours is not REPLACE)
        if exponential
        else NoisyMax(epsilon, neighbours)
    )
    winner = mechanism.choose(counts, answers.words)
    bound = mechanism.shortfall(len(counts), 1 - confidence)
    local = _local_survey(answers, neighbours)
    figures = _common_figures(answers, neighbours, confidence) | {
        "mechanism": "exponential" if exponential else "noisy_max",
        "release": answers.question.options[winner],
        "shortfall_bound": bound,
        "cells": len(counts),
    }
    if answers.is_rehearsal:
        figures["truth"] = answers.question.options[counts.index(max(counts))]
        figures["shortfall"] = max(counts) - counts[winner]
    # If no total is off by more than a bound, totals twice that bound apart keep their order.
    compared = local and _compared(local, 2 * local.largest_total_error(confidence), bound)
    if compared and local and local.totals is not None:
        compared["estimate"] = answers.question.options[int(np.nanargmax(local.totals))]
    return figures | {"local": compared}


def release_mean(answers: Answers, confidence: float) -> Figures:
    """Release the mean of everybody's number; the number of people is public."""
    question, n = answers.question, answers.n
    grid = question.kind.grid
    assert grid is not None
    assert isinstance(question.domain, Levels)
    lo, step = float(grid.lo), float(grid.step)
    noise = DiscreteLaplace(question.epsilon, question.domain.top)
    true = sum(level * count for level, count in enumerate(answers.counts))
    (released,) = noise.publish([true], answers.words)
    bound = step * noise.largest_error(1, 1 - confidence) / n
    local = LocalSurvey(question, n, answers.local)
    figures = _common_figures(answers, REPLACE, confidence) | {
        "mechanism": "discrete_laplace",
        "scale": step * float(1 / noise.rate) / n,
        "noise_error": step * math.sqrt(noise.noise_variance) / n,
        "release": lo + step * released / n,
        "error_bound": bound,
    }
    if answers.is_rehearsal:
        figures["truth"] = lo + step * true / n
    compared = _compared(local, local.mean_error(confidence), bound)
    if local.mean is not None:
        compared["estimate"] = local.mean
    even = np.array(even_shares(question.domain))
    return figures | {"local": compared, **_price_figures(answers, even, n, REPLACE)}


def release_price(answers: Answers, auction: Auction, confidence: float) -> Figures:
    """Release one price for everybody, drawn by the revenue that it would bring."""
    mechanism = auction.mechanism(answers.question.epsilon)
    revenues = auction.revenues(answers.counts)
    prices = np.array([float(price) for price in auction.prices])
    winner = mechanism.choose(revenues, answers.words)
    bound = mechanism.shortfall(len(prices), 1 - confidence)
    local = LocalSurvey(answers.question, answers.n, answers.local)
    figures = _common_figures(answers, REPLACE, confidence) | {
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
    compared = _compared(local, 2 * local.largest_tail_error(prices, confidence), bound)
    if local.totals is not None:
        buyers = np.cumsum(local.totals[:0:-1])[::-1]
        compared["estimate"] = float(prices[int(np.argmax(prices * buyers))])
    return figures | {"local": compared}


def _counts(
    answers: Answers,
    labels: Sequence[str],
    true: Sequence[int],
    moved: Sensitivity,
    neighbours: Neighbours,
    confidence: float,
    delta: float | None,
) -> Figures:
    noise = DiscreteLaplace(answers.question.epsilon, int(moved.absolute))
    released = noise.publish(true, answers.words)
    bound = noise.largest_error(len(true), 1 - confidence)
    rows: list[Figures] = [
        {"label": label, "release": count} for label, count in zip(labels, released, strict=True)
    ]
    figures = _common_figures(answers, neighbours, confidence) | {
        "mechanism": "discrete_laplace",
        "scale": float(1 / noise.rate),
        "noise_error": math.sqrt(noise.noise_variance),
        "error_bound": bound,
        "cells": len(true),
        "figures": rows,
    }
    if delta is not None:
        gaussian = Gaussian(float(answers.question.epsilon), delta, moved)
        figures["delta"] = delta
        figures["gaussian_error_bound"] = gaussian.largest_error(len(true), 1 - confidence)
    local = _local_survey(answers, neighbours, released)
    if answers.is_rehearsal:
        for row, count in zip(rows, true, strict=True):
            row["truth"] = count
    if local is None:
        return figures | {"local": None}
    if local.totals is not None:
        for row, total in zip(rows, local.totals[-len(true) :].tolist(), strict=True):
            # NaN: nobody was asked about this box.
            row["local"] = total if total == total else None
    compared = _compared(local, local.largest_total_error(confidence), bound)
    shares = _possible_shares(answers, released, local.n)
    prices = price_of_distrust(answers.question, shares, local.n, neighbours)
    for row, price in zip(rows, prices[-len(true) :], strict=True):
        row["price_of_distrust"] = price.ratio
    return figures | {"local": compared, **_price_figures(answers, shares, local.n, neighbours)}


def _common_figures(answers: Answers, neighbours: Neighbours, confidence: float) -> Figures:
    """Return what every release says about itself; a private number of people is None."""
    return {
        "epsilon": decimal_text(answers.question.epsilon),
        "neighbours": neighbours.value,
        "respondents": answers.n if answers.is_rehearsal or neighbours is REPLACE else None,
        "confidence": confidence,
        "seed": answers.seed,
        "simulated": answers.simulated,
        "publishable": not answers.is_rehearsal,
    }


def _local_survey(
    answers: Answers, neighbours: Neighbours, released: Sequence[int] = ()
) -> LocalSurvey | None:
    """Return the local survey to compare with; None if the number of people is not public.

    If participation is private, the number is the sum of a histogram's released counts.
    """
    if answers.is_rehearsal or neighbours is REPLACE:
        return LocalSurvey(answers.question, answers.n, answers.local)
    if released and isinstance(answers.question.domain, Choice):
        return LocalSurvey(answers.question, max(1, sum(released)))
    return None


def _compared(local: LocalSurvey, local_bound: float, bound: float) -> Figures:
    """Return the local survey's own bound, and how many times the curator's bound it is."""
    mechanism = local.question.mechanism
    return {
        "mechanism": mechanism.name,
        "respondents": local.n,
        # If some box has no report there is no bound, and JSON has no infinity.
        "error_bound": local_bound if math.isfinite(local_bound) else None,
        "times_the_curators": (
            local_bound / bound if bound and math.isfinite(local_bound) else None
        ),
    }


def _possible_shares(answers: Answers, released: Sequence[int], n: int) -> Array:
    """Return the released counts as possible shares, even if noise made some of them negative."""
    domain = answers.question.domain
    counts = np.clip(np.array(released, dtype=np.float64), 0, n)
    if isinstance(domain, Checks):
        return counts / n
    if len(counts) == 1:
        return np.array([1 - counts[0] / n, counts[0] / n])
    whole = counts.sum()
    shares: Array = counts / whole if whole else np.array(even_shares(domain))
    return shares


def _price_figures(answers: Answers, shares: Array, n: int, neighbours: Neighbours) -> Figures:
    """Return what trusting nobody costs in respondents, at these shares (math 10)."""
    average = average_price(answers.question, shares, n, neighbours)
    return {
        "curator_respondents": average.curator_respondents,
        "price_of_distrust": average.ratio,
    }
