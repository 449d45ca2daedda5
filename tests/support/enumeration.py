"""Exact moments of estimators: every report of a small channel, weighted by its probability."""

import json
from fractions import Fraction
from typing import Any

from client.core.mechanisms import Supporting, TwoLevel
from estimators.counting.tally import Tally
from tests.support.analyses import share_analysis
from tests.support.exact_channel import channel_of

Vector = list[Fraction]


def one_report(mechanism: TwoLevel, report: Any) -> Tally:
    return Tally.of_reports(mechanism, [report])


def scores_of(mechanism: Supporting, report: Any) -> Vector:
    """Return what one report says about each option's share: (support - q)/(p - q)."""
    support = share_analysis(mechanism).support(one_report(mechanism, report)).reported.tolist()
    return [(count - mechanism.q) / mechanism.alpha for count in support]


def moments(mechanism: Supporting, answer: Any) -> tuple[Vector, list[Vector]]:
    """Return mean and covariance of those scores for one true answer."""
    weighted = [
        (chance, scores_of(mechanism, json.loads(report)))
        for report, chance in channel_of(mechanism, answer).items()
    ]
    count = len(weighted[0][1])
    mean = [sum((w * s[v] for w, s in weighted), Fraction(0)) for v in range(count)]
    covariance = [
        [
            sum((w * s[u] * s[v] for w, s in weighted), Fraction(0)) - mean[u] * mean[v]
            for v in range(count)
        ]
        for u in range(count)
    ]
    return mean, covariance


def average(matrices: list[tuple[Fraction, list[Vector]]]) -> list[list[float]]:
    """Return a weighted sum of exact matrices, rounded only at the end."""
    size = len(matrices[0][1])
    return [
        [float(sum((w * m[u][v] for w, m in matrices), Fraction(0))) for v in range(size)]
        for u in range(size)
    ]
