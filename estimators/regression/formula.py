"""Formulas: `outcome ~ terms`, with randomized questions recognised by their names.

A formula is typed by the researcher. It may use columns, formulaic's transforms and arithmetic,
and nothing else of Python.
"""

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from client.core.primitives.refusal import Refusal, require
from estimators.columns.frame import Frame
from estimators.regression.libraries import load_analysis

_FORMULA = re.compile(
    r"""\s*(?:`(?P<quoted>[^`]+)`|(?P<name>[^\W\d]\w*))"""
    r"""\s*(?:==\s*(?P<mark>['"])(?P<label>.*?)(?P=mark))?\s*~(?P<terms>.*)""",
    re.DOTALL,
)
# What a term may call. All are formulaic's own; np is cut down to what works row by row.
TRANSFORMS = frozenset(
    "C I Q bs cc center contr cr cs exp exp2 log log10 log2 np poly scale standardize Treatment "
    "Sum Helmert Poly Diff".split()
)
MATHS = frozenset("abs exp expm1 log log10 log1p log2 maximum minimum sqrt square".split())
_SYNTAX = (
    *(ast.Expression, ast.Call, ast.Name, ast.Load, ast.Attribute, ast.Constant, ast.keyword),
    *(ast.BinOp, ast.UnaryOp, ast.Compare, ast.operator, ast.unaryop, ast.cmpop),
    *(ast.List, ast.Tuple),
)


@dataclass(frozen=True)
class Formula:
    """A formula taken apart: the outcome, its label if one is named, and two sorts of terms."""

    outcome: str
    label: str | None
    # formulaic's formula of the terms without randomized questions.
    plain: Any
    predictors: tuple[str, ...]
    # The plain columns that the terms use, in their order.
    covariates: tuple[str, ...]


def parse_formula(text: str, frame: Frame) -> Formula:
    """Read `outcome ~ terms` or `question == 'label' ~ terms`; raise if it is no formula."""
    match = _FORMULA.fullmatch(text)
    if match is None:
        raise Refusal("bad_formula.shape", "formula", text=text)
    require(match["terms"].strip() != "", "bad_formula.empty", "formula", text=text)
    known = [*frame.randomized, *frame.plain]
    outcome = match["quoted"] or match["name"]
    require(outcome in known, "unknown_column.formula", "formula", name=outcome, known=known)
    return _terms(outcome, match["label"], match["terms"], frame)


def parse_terms(text: str, frame: Frame) -> Formula:
    """Read terms without an outcome and without randomized questions."""
    formula = _terms("", None, text, frame)
    for name in formula.predictors:
        raise Refusal("bad_formula.randomized_own", "predictors_on", name=name)
    return formula


def _terms(outcome: str, label: str | None, text: str, frame: Frame) -> Formula:
    known = [*frame.randomized, *frame.plain]
    plain: list[Any] = []
    predictors: list[str] = []
    covariates: dict[str, None] = {}
    for term in _parsed(text):
        used = dict.fromkeys(name for factor in term.factors for name in _names(factor, known))
        for name in used:
            require(name in known, "unknown_column.formula", "formula", name=name, known=known)
        require(outcome not in used, "bad_formula.outcome_twice", "formula", name=outcome)
        hidden = [name for name in used if name in frame.randomized]
        if not hidden:
            plain.append(term)
            covariates |= used
            continue
        alone = [str(factor.expr) for factor in term.factors] == hidden
        require(alone, "bad_formula.randomized_term", "formula", name=hidden[0])
        predictors.append(hidden[0])
    formula = load_analysis().formulaic.Formula(plain)
    return Formula(outcome, label, formula, tuple(predictors), tuple(covariates))


def _parsed(text: str) -> list[Any]:
    """Return formulaic's terms."""
    formulaic = load_analysis().formulaic
    try:
        formula = formulaic.Formula(text.strip())
    except (formulaic.errors.FormulaicError, SyntaxError) as error:
        require(re.search(r"(?<!\w)\.(?!\w)", text) is None, "bad_formula.dot", "formula")
        reason = re.sub(r"\x1b\[[0-9;]*m|[⧛⧚]", "", str(error)).split("\n")[0]
        raise Refusal("bad_formula.terms", "formula", text=text.strip(), reason=reason) from None
    simple = isinstance(formula, formulaic.formula.SimpleFormula)
    require(simple, "bad_formula.parts", "formula", text=text.strip())
    return list(formula)


def _names(factor: Any, known: Collection[str]) -> Iterator[str]:
    """Yield the columns that a factor uses; raise if it uses more of Python than arithmetic."""
    method = factor.eval_method.value
    if method == "literal":
        return
    expression = str(factor.expr)
    if method == "lookup" or expression in known:
        yield expression
        return
    quoted = re.findall(r"`([^`]*)`", expression)
    yield from quoted
    try:
        tree = ast.parse(re.sub(r"`[^`]*`", "0", expression), mode="eval")
    except SyntaxError as error:
        raise Refusal("bad_formula.terms", "formula", text=expression, reason=error) from None
    for node in ast.walk(tree):
        allowed = isinstance(node, _SYNTAX)
        if isinstance(node, ast.Attribute):
            owner = ast.unparse(node.value)
            allowed = (owner == "np" and node.attr in MATHS) or (
                owner == "contr" and not node.attr.startswith("_")
            )
        require(allowed, "bad_formula.python", "formula", text=expression)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in TRANSFORMS:
            yield node.id
