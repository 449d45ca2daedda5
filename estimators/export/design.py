"""design.json: the probabilities of every question as exact integers, matrices, and rules."""

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from client.core.mechanisms import TwoLevel
from client.core.primitives.domain import Levels
from client.core.primitives.values import decimal_text
from client.core.primitives.words import WORD_RANGE
from client.core.question import Question
from client.core.survey import Survey
from estimators.confidence import CONFIDENCE
from estimators.export.matrices import transition
from estimators.export.scores import score_variance
from estimators.mechanisms import analysis_of


def design_json(survey: Survey, groups: Sequence[str]) -> str:
    """Return the document; `groups` begins with '' for everybody."""
    design = {
        "survey": survey.slug,
        "version": survey.version,
        "fingerprint": survey.fingerprint,
        "total_epsilon": decimal_text(survey.total_epsilon),
        "ask_each_person": survey.asked,
        "confidence": CONFIDENCE,
        "word_range": WORD_RANGE,
        "groups": list(groups),
        "factors": [factor.id for factor in survey.groups.factors] if survey.groups else [],
    }
    heading = json.dumps(design, ensure_ascii=False)[:-1]
    # One line per question: a matrix with a line per number would be unreadable.
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
        "score_variance": score_variance(question),
        "covariance": covariance_design(question),
        "rule": analysis_of(mechanism).rule,
        **_matrix(question),
    }


def _chances(question: Question) -> dict[str, Any]:
    """Return p and q of a mechanism whose reports support options."""
    support = question.mechanism.support
    return {"p": _exact(support[0]), "q": _exact(support[1])} if support else {}


def _exact(chance: Fraction) -> dict[str, Any]:
    return {"value": float(chance), "exact": f"{chance.numerator}/{chance.denominator}"}


def _levels(question: Question) -> dict[str, Any]:
    """Return what a level stands for, if the answers have an order."""
    grid = question.kind.grid
    if grid is None:
        return {}
    if isinstance(question.domain, Levels):
        return {"lo": str(grid.lo), "step": str(grid.step)}
    return {"scale": {"lo": int(grid.lo), "levels": len(question.kind.own_labels)}}


def _matrix(question: Question) -> dict[str, Any]:
    found = transition(question.mechanism)
    if found is None:
        return {"reports": None, "truths": None, "matrix": None}
    return {
        "reports": list(found.reports),
        "truths": list(found.truths),
        "matrix": [[float(chance) for chance in row] for row in found.chances],
    }


# With more options than this the triangle is too long for any reader.
MOST_LISTED = 256


def covariance_design(question: Question) -> dict[str, Any] | None:
    """Return how the estimated shares vary together; None if they are not shares of options."""
    found = analysis_of(question.mechanism).covariance_rule()
    if found is None:
        return None
    count = len(question.options)
    symbols = "For options u and v with shares s in estimates.csv: "
    return {
        "options": count,
        "listed": count <= MOST_LISTED,
        **found,
        "rule": symbols + found["rule"],
    }


def is_listed(question: Question) -> bool:
    """Return whether covariance.csv has all pairs of this question's options."""
    found = covariance_design(question)
    return found is not None and bool(found["listed"])


def rule_of(mechanism: TwoLevel) -> str:
    """Return the rule of a mechanism in words, with its own integers."""
    numbers = {**mechanism.shape, "cells": mechanism.cells}
    rule = analysis_of(mechanism).rule
    for name, number in numbers.items():
        rule = rule.replace(f"`{name}`", str(number))
    return rule.replace("T/2^32", f"{mechanism.threshold}/2^32")
