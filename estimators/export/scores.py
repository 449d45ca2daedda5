"""scores.csv: an unbiased number per report and option, so that means and OLS are one line.

The rows are those of reports.csv, in the same order and with the same groups.
"""

import csv
import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import IO, Any

import numpy as np

from client.core.question import Question
from client.core.survey import Survey
from estimators.counting.group_columns import group_columns
from estimators.counting.text_rows import NOT_ASKED
from estimators.mechanisms import analysis_of
from estimators.mechanisms.analysis import LevelAnalysis
from estimators.shares.spread import Array, noise_per_respondent
from estimators.tables.promised_errors import value_of_levels

# A question with more options has no scores: its columns would be as many.
MOST_OPTIONS = 100
# How many rows are scored together. Distinct reports among them are scored once.
ROWS_AT_ONCE = 1024


def score_columns(question: Question) -> list[str]:
    """Return the names of a question's columns: one if it is a number, none for a long list.

    A number that can be declined has a second one, for whether it was answered (math 5.5).
    """
    if value_of_levels(question) is not None:
        return [question.id, *([f"{question.id}__answered"] if question.kind.silence else [])]
    if len(question.options) > MOST_OPTIONS:
        return []
    return [f"{question.id}__{option}" for option in range(len(question.options))]


def score_heading(survey: Survey) -> list[str]:
    """Return the heading of scores.csv."""
    scores = (column for item in survey.questions for column in score_columns(item))
    return [*group_columns(survey), *scores]


def write_scores(file: IO[str], survey: Survey, rows: Iterable[list[str]]) -> None:
    """Write the scores of rows of reports.csv: checked cells of all questions, then its groups."""
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(score_heading(survey))
    places, count = enumerate(survey.questions), len(survey.questions)
    scored = [(place, question) for place, question in places if score_columns(question)]
    for block in _blocks(iter(rows)):
        texts = [(place, _texts(item, (row[place] for row in block))) for place, item in scored]
        writer.writerows(
            [*row[count:], *(text for place, found in texts for text in found[row[place]])]
            for row in block
        )


def _blocks(rows: Iterator[list[str]]) -> Iterator[list[list[str]]]:
    while block := list(islice(rows, ROWS_AT_ONCE)):
        yield block


def _texts(question: Question, cells: Iterable[str]) -> dict[str, list[str]]:
    """Return the scores of each distinct cell as texts; they are empty where nothing was asked."""
    distinct = sorted(set(cells) - {NOT_ASKED})
    found = {NOT_ASKED: [""] * len(score_columns(question))}
    if not distinct:
        return found
    scores = _scores(question, [json.loads(cell) for cell in distinct])
    # There are few different scores, so that each is written as text once.
    numbers, places = np.unique(scores, return_inverse=True)
    texts = ["" if number != number else repr(number) for number in numbers.tolist()]
    rows = np.array(texts, dtype=object)[places].reshape(scores.shape).tolist()
    return found | dict(zip(distinct, rows, strict=True))


def _scores(question: Question, reports: list[Any]) -> Array:
    analysis, values = analysis_of(question.mechanism), value_of_levels(question)
    if values is None:
        return analysis.report_scores(reports)
    answered = analysis.answer_scores(reports)
    columns = [analysis.value_scores(reports, values), *([] if answered is None else [answered])]
    return np.stack(columns, axis=1)


def score_variance(question: Question) -> dict[str, float]:
    """Return Var(score | truth) for design.json.

    Of an option's score it depends on whether the option is the truth. Of a number's score it is
    quadratic in the level (math 5.2, 5.3), here in the unit of the question, squared. If it can be
    declined, `silent` is that of those who are, and `answered` and `answered_silent` are those of
    the second column's score (math 5.5).
    """
    values, support = value_of_levels(question), question.mechanism.support
    if values is None:
        assert support is not None
        p, q = map(float, support)
        return {
            "true_option": noise_per_respondent(1.0, p, q),
            "other_option": noise_per_respondent(0.0, p, q),
        }
    analysis, lo, step = analysis_of(question.mechanism), float(values[0]), values[1] - values[0]
    assert isinstance(analysis, LevelAnalysis)
    noise = [analysis.value_noise(level, lo, float(step)) for level in range(3)]
    quadratic = (noise[2] - 2 * noise[1] + noise[0]) / 2
    found = {
        "constant": noise[0],
        "linear": noise[1] - noise[0] - quadratic,
        "quadratic": quadratic,
    }
    if not question.kind.silence:
        return found
    silent = analysis.value_noise(len(values), lo, float(step))
    given, not_given = (analysis.answer_noise(level) for level in (0, len(values)))
    return found | {"silent": silent, "answered": given, "answered_silent": not_given}
