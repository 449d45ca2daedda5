"""design.json: every chance of every question, as exact integers and as transition matrices."""

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from client.decimals import decimal_text
from client.domain import Levels
from client.kinds import Number, Scale
from client.mechanisms import Supporting
from client.question import Question
from client.survey import Survey
from client.words import WORD_RANGE
from estimators.export.covariances import covariance_design
from estimators.export.matrices import transition
from estimators.export.rules import RULES
from estimators.table import CONFIDENCE


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
