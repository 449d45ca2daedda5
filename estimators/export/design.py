"""design.json: every chance of every question, as exact integers, matrices, and rules in words."""

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from client.core.kinds import Number, Scale
from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomThreshold,
    SampledChecks,
    Supporting,
    TwoLevel,
)
from client.core.primitives.domain import Levels
from client.core.primitives.values import decimal_text
from client.core.primitives.words import WORD_RANGE
from client.core.question import Question
from client.core.survey import Survey
from estimators.export.matrices import transition
from estimators.shares.checks import pair_chances
from estimators.shares.covariance import pair_noise
from estimators.tables.table import CONFIDENCE


def design_json(survey: Survey, groups: Sequence[str]) -> str:
    """The document; `groups` begins with '' for everybody."""
    design = {
        "survey": survey.slug,
        "version": survey.version,
        "fingerprint": survey.fingerprint,
        "total_epsilon": decimal_text(survey.total_epsilon),
        "ask_each_person": survey.asked,
        "confidence": CONFIDENCE,
        "word_range": WORD_RANGE,
        "groups": list(groups),
    }
    heading = json.dumps(design, ensure_ascii=False)[:-1]
    # A line per question: a matrix with a line per number would be read by nobody.
    lines = ",\n".join(json.dumps(_question(question)) for question in survey.questions)
    return f'{heading}, "questions": [\n{lines}\n]}}\n'


def _question(question: Question) -> dict[str, Any]:
    mechanism = question.mechanism
    return {
        "question": question.id,
        "kind": question.kind.name,
        "epsilon": decimal_text(question.epsilon),
        "delivered_epsilon": mechanism.delivered_epsilon,
        "mechanism": {
            "name": mechanism.name,
            "threshold": mechanism.threshold,
            **mechanism.shape,
        },
        "cells": mechanism.cells,
        **_chances(question),
        **_levels(question),
        "covariance": covariance_design(question),
        "rule": RULES[mechanism.name],
        **_matrix(question),
    }


def _chances(question: Question) -> dict[str, Any]:
    """p and q of a report that supports options."""
    mechanism = question.mechanism
    if not isinstance(mechanism, Supporting):
        return {}
    return {"p": _exact(mechanism.p), "q": _exact(mechanism.q)}


def _exact(chance: Fraction) -> dict[str, Any]:
    return {"value": float(chance), "exact": f"{chance.numerator}/{chance.denominator}"}


def _levels(question: Question) -> dict[str, Any]:
    """What a level stands for, where the answers have an order."""
    kind = question.kind
    if not isinstance(kind, Scale | Number):
        return {}
    if isinstance(question.domain, Levels):
        return {"lo": str(kind.lo), "step": str(kind.step)}
    return {"scale": {"lo": int(kind.lo), "levels": len(kind.own_labels)}}


def _matrix(question: Question) -> dict[str, Any]:
    found = transition(question.mechanism)
    if found is None:
        return {"reports": None, "truths": None, "matrix": None}
    return {
        "reports": list(found.reports),
        "truths": list(found.truths),
        "matrix": [[float(chance) for chance in row] for row in found.chances],
    }


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


# How the matrix of a mechanism is made; T stands for the threshold.
RULES = {
    "rr": "With probability T/2^32 the report is the truth, else the other option.",
    "ss": "A report is a sorted set of `size` of the `options` options. With probability T/2^32 it "
    "is drawn evenly from the sets that hold the truth, else from those that do not.",
    "hr": "A report is a number z from 0 to `cells` - 1. It supports option v if z & (v + 1) has "
    "an even number of one-bits. With probability T/2^32 z is drawn evenly from those that "
    "support the truth, else from those that do not.",
    "smp": "A draw of `asked` out of `options` boxes is made evenly, whatever the truth. Of each "
    "the report says whether it is ticked: the truth with probability T/2^32, else the opposite. "
    "A report is a list of pairs [box, bit].",
    "privset": "The ticked options are filled up to `at_most` items with dummies, numbered from "
    "`options` on. A report is a sorted set of `size` of the `options` + `at_most` items. "
    "With probability T/2^32 it is drawn evenly from the sets that meet the answer, else "
    "from those that do not.",
    "rt": "t is drawn evenly from 1 to `top`, whatever the truth. The report [t, bit] says whether "
    "the level is at least t: the truth with probability T/2^32, else the opposite.",
    "isw": "Levels go from 0 to `top`, reports from 0 to `top` + `width`. With probability T/2^32 "
    "the report is drawn evenly from level .. level + `width`, else from all others.",
}


def rule_of(mechanism: TwoLevel) -> str:
    """The rule with the integers of this very question in it."""
    numbers = {**mechanism.shape, "cells": mechanism.cells}
    rule = RULES[mechanism.name]
    for name, number in numbers.items():
        rule = rule.replace(f"`{name}`", str(number))
    return rule.replace("T/2^32", f"{mechanism.threshold}/2^32")
