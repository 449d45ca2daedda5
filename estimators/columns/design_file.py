"""design.json: how somebody else's columns were randomized (math 17).

A question is given by its matrix, by the name and the parameters of a known design, or by two
columns that hold P(1 | yes) and P(1 | no) of every row.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from client.core.primitives.refusal import Refusal, require
from estimators.counting.reports_file import open_file
from estimators.shares.spread import Array

FORMAT = 1
# The columns of a matrix sum to one up to this much.
ROUNDING = 1e-9
# A matrix with a larger condition number cannot be inverted in floating point.
MOST_CONDITION = 1e12
BITS = ("0", "1")


@dataclass(frozen=True)
class MatrixDesign:
    """A column whose channel is the same in all rows: `matrix[i, j]` = P(report i | truth j)."""

    reports: tuple[str, ...]
    truths: tuple[str, ...]
    matrix: Array
    # Scores that the design's own literature uses; by default the best ones for even shares.
    scores: Array | None = None

    def as_written(self, report: Any) -> str:
        """Return a report as the file has it."""
        return str(self.reports[report])

    def report_scores(self, reports: Sequence[Any]) -> Array:
        """Return D^-1 M (M' D^-1 M)^-1, which is the inverse if M is square; else what is given."""
        if self.scores is not None:
            return self.scores[list(reports)]
        weighted = self.matrix / self.matrix.mean(axis=1, keepdims=True)
        best = np.linalg.solve(self.matrix.T @ weighted, weighted.T).T
        return best[list(reports)]

    def possible_scores(self, reports: Sequence[Any]) -> Array:
        """Return the scores of all reports that the design can make, whether or not they came."""
        return self.report_scores(range(len(self.reports)))

    def value_scores(self, reports: Sequence[Any], values: Array) -> Array:
        return self.report_scores(reports) @ values

    def answer_scores(self, reports: Sequence[Any]) -> None:
        """Everybody answers."""

    def report_chances(self, reports: Sequence[Any]) -> Array:
        return self.matrix[list(reports)]

    def score_variances(self, reports: Sequence[Any]) -> Array:
        """Return Var(score of a label | truth) by report, label and truth; here all are alike."""
        scores = self.report_scores(range(len(self.reports)))
        means = scores.T @ self.matrix
        variances = (scores**2).T @ self.matrix - means**2
        return np.broadcast_to(variances, (len(reports), *variances.shape))

    @property
    def epsilon(self) -> float:
        """The largest log ratio within a report; infinite if some report is certain."""
        largest, smallest = self.matrix.max(axis=1), self.matrix.min(axis=1)
        seen = largest > 0
        if (smallest[seen] == 0).any():
            return math.inf
        return float(np.log(largest[seen] / smallest[seen]).max())


@dataclass(frozen=True)
class RowDesign:
    """A yes/no column with chances that differ by row; a report is (bit, p, q)."""

    p_column: str
    q_column: str
    reports: tuple[str, ...] = BITS
    truths: tuple[str, ...] = BITS

    def as_written(self, report: Any) -> str:
        """Return a report as the file has it."""
        return self.reports[int(report[0])]

    def report_scores(self, reports: Sequence[Any]) -> Array:
        bit, p, q = np.array(reports, dtype=np.float64).reshape(-1, 3).T
        yes = (bit - q) / (p - q)
        return np.stack((1 - yes, yes), axis=1)

    def possible_scores(self, reports: Sequence[Any]) -> Array:
        """Return the scores of both answers in each of these rows."""
        chances = {(p, q) for _, p, q in reports}
        return self.report_scores([(bit, p, q) for p, q in chances for bit in (0, 1)])

    def value_scores(self, reports: Sequence[Any], values: Array) -> Array:
        return self.report_scores(reports) @ values

    def answer_scores(self, reports: Sequence[Any]) -> None:
        """Everybody answers."""

    def report_chances(self, reports: Sequence[Any]) -> Array:
        bit, p, q = np.array(reports, dtype=np.float64).reshape(-1, 3).T
        return np.stack((np.where(bit == 1, q, 1 - q), np.where(bit == 1, p, 1 - p)), axis=1)

    def score_variances(self, reports: Sequence[Any]) -> Array:
        """Return Var(score of a label | truth) by report, label and truth."""
        _, p, q = np.array(reports, dtype=np.float64).reshape(-1, 3).T
        by_truth = np.stack((q * (1 - q), p * (1 - p)), axis=1) / ((p - q) ** 2)[:, None]
        return np.stack((by_truth, by_truth), axis=1)

    @property
    def epsilon(self) -> None:
        """It differs by row."""


Design = MatrixDesign | RowDesign


def read_design(path: Path) -> dict[str, Design]:
    """Return the design of every randomized column that the file names."""
    with open_file(path) as file:
        text = file.read()
    try:
        found = json.loads(text)
    except ValueError as error:
        raise Refusal("bad_design.json", str(path), reason=error) from None
    known = isinstance(found, dict) and found.get("format") == FORMAT
    require(known, "bad_design.format", str(path), format=FORMAT)
    questions = found.get("questions")
    require(isinstance(questions, dict) and bool(questions), "bad_design.questions", str(path))
    return {name: parse_design(name, question) for name, question in questions.items()}


def parse_design(name: str, question: Any) -> Design:
    """Return one column's design; raise if it is none."""
    require(isinstance(question, dict), "bad_design.question", name)
    if "matrix" in question:
        return _matrix(name, question)
    if "kind" in question:
        return _named(name, question)
    columns = ("p_column", "q_column")
    require(set(question) == set(columns), "bad_design.question", name)
    for column in columns:
        require(isinstance(question[column], str), "bad_design.column", name, column)
    return RowDesign(question["p_column"], question["q_column"])


def _matrix(name: str, question: Mapping[str, Any]) -> MatrixDesign:
    require(set(question) == {"reports", "truths", "matrix"}, "bad_design.matrix", name)
    reports, truths = (_labels(name, question, key) for key in ("reports", "truths"))
    try:
        matrix = np.array(question["matrix"], dtype=np.float64)
    except (TypeError, ValueError):
        raise Refusal("bad_design.matrix", name) from None
    shape = (len(reports), len(truths))
    require(matrix.shape == shape, "bad_design.shape", name, rows=shape[0], columns=shape[1])
    return MatrixDesign(reports, truths, check_channel(name, matrix))


def _labels(name: str, question: Mapping[str, Any], key: str) -> tuple[str, ...]:
    given = question[key]
    labels = tuple(map(str, given)) if isinstance(given, list) else ()
    require(len(set(labels)) == len(labels) >= 2, "bad_design.labels", name, key)
    return labels


def check_channel(name: str, matrix: Array) -> Array:
    """Return the matrix; raise unless its columns are probabilities and it can be inverted."""
    finite = bool(np.isfinite(matrix).all())
    require(finite and bool((matrix >= 0).all()), "bad_design.negative", name)
    sums = matrix.sum(axis=0)
    worst = int(np.argmax(np.abs(sums - 1)))
    good = abs(sums[worst] - 1) <= ROUNDING
    require(good, "bad_design.sum", name, truth=worst + 1, total=float(sums[worst]))
    invertible = matrix.shape[0] >= matrix.shape[1] and np.linalg.cond(matrix) < MOST_CONDITION
    require(bool(invertible), "bad_design.singular", name)
    return matrix


def _bits(no: float, yes: float) -> tuple[Array, Array | None]:
    """Return the channel of a yes/no question from P(1 | no) and P(1 | yes)."""
    return np.array([[1 - no, 1 - yes], [no, yes]]), None


def _kuk(p_yes: float, p_no: float, draws: int = 1) -> tuple[Array, Array | None]:
    """Return the channel of `draws` cards; the score is linear in the number of red ones."""
    red = np.arange(draws + 1)
    ways = np.array([comb(draws, count) for count in red], dtype=np.float64)
    columns = [ways * chance**red * (1 - chance) ** (draws - red) for chance in (p_no, p_yes)]
    yes = (red / draws - p_no) / (p_yes - p_no) if p_yes != p_no else np.zeros(draws + 1)
    return np.stack(columns, axis=1), np.stack((1 - yes, yes), axis=1)


def _forced_options(forced: list[float]) -> tuple[Array, Array | None]:
    """Return (1 - sum f) I + f 1': some are told to give a certain answer."""
    chances = np.array(forced, dtype=np.float64)
    return (1 - chances.sum()) * np.eye(len(chances)) + chances[:, None], None


# Parameters by name, never by habit: packages disagree on whether "forced yes" is conditional.
_KINDS: Mapping[str, Callable[..., tuple[Array, Array | None]]] = {
    "warner": lambda p: _bits(1 - p, p),
    "forced": lambda yes, no: _bits(yes, 1 - no),
    "forced_options": _forced_options,
    "unrelated": lambda p, u: _bits((1 - p) * u, p + (1 - p) * u),
    "crosswise": lambda u: _bits(1 - u, u),
    "triangular": lambda u: _bits(u, 1.0),
    "kuk": _kuk,
    "mangat": lambda p: _bits(1 - p, 1.0),
}
PARAMETERS = {
    "warner": ("p",),
    "forced": ("yes", "no"),
    "forced_options": ("forced",),
    "unrelated": ("p", "u"),
    "crosswise": ("u",),
    "triangular": ("u",),
    "kuk": ("p_yes", "p_no"),
    "mangat": ("p",),
}

# Chances of a forced answer: what is left of 1 is the chance of the truth.
_FORCED = {"forced": ("yes", "no"), "forced_options": ("forced",)}


def _named(name: str, question: Mapping[str, Any]) -> MatrixDesign:
    kind = question["kind"]
    require(kind in _KINDS, "bad_design.kind", name, known=list(_KINDS), kind=kind)
    given = {key: value for key, value in question.items() if key not in ("kind", "options")}
    wanted = PARAMETERS[kind]
    # Only cards can be drawn several times.
    extra = {"draws"} if kind == "kuk" else set()
    fits = set(wanted) <= set(given) <= {*wanted, *extra}
    require(fits, "bad_design.parameters", name, kind=kind, wanted=list(wanted), given=list(given))
    for key, value in given.items():
        _check_parameter(name, key, value)
    forced = sum(float(np.sum(given[key])) for key in _FORCED.get(kind, ()))
    require(forced < 1, "bad_design.forced", name, total=round(forced, 6))
    matrix, scores = _KINDS[kind](**given)
    reports = BITS if len(matrix) == 2 else tuple(map(str, range(len(matrix))))
    truths = tuple(map(str, range(matrix.shape[1])))
    if "options" in question:
        truths = _labels(name, question, "options")
        reports = truths if len(truths) == len(matrix) else reports
        require(len(truths) == matrix.shape[1], "bad_design.labels", name, "options")
    return MatrixDesign(reports, truths, check_channel(name, matrix), scores)


def _check_parameter(name: str, key: str, value: Any) -> None:
    """Raise unless a parameter is a probability, a list of them, or a number of cards."""
    if key == "draws":
        require(type(value) is int and 1 <= value <= 100, "bad_design.draws", name, draws=value)
        return
    chances = value if isinstance(value, list) and key == "forced" else [value]
    for chance in chances:
        number = type(chance) in (int, float) and 0 <= chance <= 1
        require(number, "bad_design.chance", name, key=key, value=chance)
