"""What design.json says of covariances: constants and a rule that give any entry of the matrix.

The matrix of a list of thousands would be the largest thing in the zip by far. Its entries follow
from the shares in estimates.csv.
"""

from typing import Any

from client.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomThreshold,
    SampledChecks,
    Supporting,
)
from client.question import Question
from estimators.checks import pair_chances
from estimators.covariance import pair_noise

# The triangle of more options than this is too long to be read by anybody.
MOST_LISTED = 256

_OF_CHOICES = (
    " noise_covariance = N[u,v] / n. sampling_covariance = ((s[u] if u = v, else 0) - s[u] s[v] "
    "+ noise_covariance) / (n - 1). N[u,u] = s[u] p (1-p) / (p-q)^2 + (1 - s[u]) q (1-q) / (p-q)^2."
)
_OF_CHECKS = (
    " noise_covariance = N[u,v] / n; sampling_covariance = 0. Both hold if the boxes are ticked "
    "independently of each other. u = v: noise_variance and sampling_variance in estimates.csv."
)
_SUBSETS = "N[u,v] = silent + (told - silent) (s[u] + s[v])." + _OF_CHOICES
_HADAMARD = (
    "N[u,v] = s[t] / (2 (p-q)), where t + 1 = (u + 1) xor (v + 1); 0 if there is no option t."
    + _OF_CHOICES
)
_SAMPLED = "N[u,v] = 0." + _OF_CHECKS
_SETS = (
    "N[u,v] = (silent + (told - silent) (s[u] + s[v] - s[u] s[v]) - r[u] r[v]) / (p-q)^2, where "
    "r[u] = q + (p-q) s[u]." + _OF_CHECKS
)


def covariance_design(question: Question) -> dict[str, Any] | None:
    """None where the estimates are not shares of options."""
    mechanism = question.mechanism
    if not isinstance(mechanism, Supporting) or isinstance(mechanism, RandomThreshold):
        return None
    count = len(question.options)
    heading = {"options": count, "listed": count <= MOST_LISTED}
    symbols = "For options u and v with shares s in estimates.csv: "
    match mechanism:
        case HadamardResponse():
            return {**heading, "rule": symbols + _HADAMARD}
        case SampledChecks():
            return {**heading, "rule": symbols + _SAMPLED}
        case PrivateSet():
            (told, silent), rule = pair_chances(mechanism), _SETS
        case _:
            (told, silent), rule = pair_noise(mechanism), _SUBSETS
    return {**heading, "told": told, "silent": silent, "rule": symbols + rule}


def is_listed(question: Question) -> bool:
    """Whether covariance.csv has all its pairs."""
    found = covariance_design(question)
    return found is not None and bool(found["listed"])
