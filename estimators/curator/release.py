"""What a trusted curator publishes, with its error bound and a local survey to compare with.

Every function draws once and returns plain figures, for JSON and for people. A release of real
answers depends on them only through its noise: the local survey it is compared with is planned, not
drawn, because its reports would spend the epsilon a second time.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from client.core.primitives.domain import Checks, Choice, Levels
from client.core.primitives.refusal import require
from client.core.primitives.values import decimal_text
from estimators.curator.answers import Answers
from estimators.curator.comparison import (
    REPLACE,
    Figures,
    compare,
    local_survey,
    possible_shares,
    price_figures,
)
from estimators.curator.distrust import price_of_distrust
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
from estimators.simulation.people.shares import even_shares


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
    """Return how many people gave each answer, all of them at once.

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
    """Release the most common answer, and nothing else."""
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
    local = local_survey(answers, neighbours)
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
    compared = local and compare(
        local, min(2 * local.largest_total_error(confidence), local.n), bound, local.n
    )
    if compared and local and local.totals is not None:
        compared["estimate"] = answers.question.options[int(np.nanargmax(local.totals))]
    return figures | {"local": compared}


def release_mean(answers: Answers, confidence: float) -> Figures:
    """Release the mean of everybody's number; the number of people is public."""
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
    compared = compare(local, local.mean_error(confidence), bound, hi - lo)
    if local.mean is not None:
        compared["estimate"] = local.mean
    even = np.array(even_shares(question.domain))
    return figures | {"local": compared, **price_figures(answers, even, n, REPLACE)}


def release_price(answers: Answers, auction: Auction, confidence: float) -> Figures:
    """Release one price for everybody, drawn by the revenue that it would bring."""
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
    compared = compare(local, local_bound, bound, most)
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
    """Release counts that one person moves by `moved`, compared with a local survey."""
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
    if answers.is_rehearsal:
        for row, count in zip(rows, true, strict=True):
            row["truth"] = count
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
    local = local_survey(answers, neighbours, released)
    if local is None:
        return figures | {"local": None}
    compared = compare(local, local.largest_total_error(confidence), bound, local.n)
    return figures | {"local": compared} | _compare_rows(answers, rows, local, neighbours)


def _compare_rows(
    answers: Answers, rows: Sequence[Figures], local: LocalSurvey, neighbours: Neighbours
) -> Figures:
    """Add the local survey's figures to each row; return those of all rows together."""
    if local.totals is not None:
        for row, total in zip(rows, local.totals[-len(rows) :].tolist(), strict=True):
            # NaN: nobody was asked about this box.
            row["local"] = total if total == total else None
    shares = possible_shares(answers, [row["release"] for row in rows], local.n)
    prices = price_of_distrust(answers.question, shares, local.n, neighbours)
    for row, price in zip(rows, prices[-len(rows) :], strict=True):
        row["price_of_distrust"] = price.ratio
    return price_figures(answers, shares, local.n, neighbours)


def _check_people(answers: Answers, neighbours: Neighbours) -> None:
    """Raise for an empty file if the number of people is public."""
    require(answers.n > 0 or neighbours is not REPLACE, "no_people.answers", "file")


def _heading(answers: Answers, neighbours: Neighbours, confidence: float) -> Figures:
    """Return what every release says of itself; a private number of people is None."""
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
