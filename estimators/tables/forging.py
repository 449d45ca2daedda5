"""How far forged reports can move an estimate, and whether the draws look honest (math 11).

On an open survey whoever forges reports also chooses which question or box they are about: tickets
are free, and one that does not suit is thrown away. With personal links the ticket decides, and a
link buys one. So the bounds there hold for so many links in the hands of forgers, used or not.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from client.core.mechanisms import TwoLevel
from client.core.primitives.domain import Levels
from client.core.question import Question
from client.core.survey import Survey
from estimators.counting.tally import Tally
from estimators.mechanisms import analysis_of
from estimators.ordinal.levels import LevelEstimates
from estimators.shares.arrays import ShareArrays
from estimators.shares.draws import FALSE_ALARM, Draw, most_drawn, most_forged
from estimators.shares.shares import ShareEstimates
from estimators.shares.spread import Array, Counts
from estimators.tables.question import estimate_question
from estimators.tables.rows import MEAN, SHARE, SILENT, Row, plain

# The parts of the reports that are taken as forged.
PARTS = (0.01, 0.1)
QUESTIONS, BOXES, THRESHOLDS = "questions", "boxes", "thresholds"


def forged_of(n: int, part: float) -> int:
    """Return this part of n reports, at least one."""
    return max(1, round(part * n))


def survey_draw(survey: Survey, reports: int) -> Draw:
    """Return how the questions of a survey's reports were drawn."""
    # Anybody can test a draft as often as they like.
    return Draw(reports, survey.asked, len(survey.questions), not survey.by_invitation)


def forging_rows(
    estimates: ShareEstimates | LevelEstimates, labels: Sequence[str], questions: Draw
) -> list[Row]:
    """Return for every share, or for the mean, what 1 % and 10 % of forged reports could do.

    After the mean come the shares of the options for silence, if there are any; the last of the
    `labels` are theirs.

    `aimed` says whether forgers choose what their reports are about. If not, `forged_of_all` counts
    the links that they have, of which they use those that suit them.

    `honest_low` and `honest_high` are what the honest reports alone would give if `forged` of the
    `asked` reports about it were forged. `move` is how far `forged_of_all` of all `reports` move
    the expected estimate at most, if all of them are aimed at it.
    """
    rows: list[Row] = []
    for part in PARTS:
        forged = forged_of(questions.n, part)
        aimed = questions.is_free or _chance(estimates, questions) >= 1
        common = {"part": part, "reports": questions.n, "forged_of_all": forged, "aimed": aimed}
        if isinstance(estimates, ShareEstimates):
            found = _share_rows(estimates, labels, questions, part)
        else:
            found = [
                *_mean_rows(estimates, questions, part),
                *_silent_rows(estimates, labels, questions, part),
            ]
        rows.extend(common | row for row in found)
    return rows


def _share_rows(
    estimates: ShareEstimates, labels: Sequence[str], questions: Draw, part: float
) -> list[Row]:
    aimed = _aimed(estimates.asked, questions, part, _chance(estimates, questions))
    return _rows_of_shares(estimates, estimates.forged_moves(aimed), labels, part)


def _silent_rows(
    estimates: LevelEstimates, labels: Sequence[str], questions: Draw, part: float
) -> list[Row]:
    """Return the rows of the options for silence, whose numbers come after the levels."""
    silent = estimates.silent
    if silent is None:
        return []
    moves = silent.forged_moves(_aimed(silent.asked, questions, part, questions.part))
    own = labels[len(labels) - len(moves) :]
    rows = _rows_of_shares(silent, moves, own, part)
    first = estimates.top + 1
    return [row | {"quantity": SILENT, "option": first + row["option"]} for row in rows]


def _rows_of_shares(
    estimates: ShareArrays, moves: Array, labels: Sequence[str], part: float
) -> list[Row]:
    asked = estimates.asked
    forged = np.maximum(1, np.rint(part * asked)).astype(np.int64)
    low, high = estimates.without_forged(forged)
    columns = {"asked": asked, "forged": forged, "honest_low": low, "honest_high": high}
    lists = [plain(values) for values in (*columns.values(), moves)]
    return [
        {"quantity": SHARE, "option": option, "label": label}
        | dict(zip((*columns, "move"), row, strict=True))
        for option, (label, *row) in enumerate(zip(labels, *lists, strict=True))
        # Without an honest report there is nothing that it would give.
        if row[0] > row[1]
    ]


def _mean_rows(estimates: LevelEstimates, questions: Draw, part: float) -> list[Row]:
    n = estimates.n
    forged = forged_of(n, part)
    if n <= forged or not estimates.mean.is_known:
        return []
    honest = estimates.without_forged(forged)
    (aimed,) = _aimed(np.array([n]), questions, part, questions.part).tolist()
    figures = {"asked": n, "forged": forged, "honest_low": honest.low, "honest_high": honest.high}
    heading = {"quantity": MEAN, "option": None, "label": MEAN}
    return [heading | figures | {"move": estimates.forged_move(aimed)}]


def _aimed(asked: Counts, questions: Draw, part: float, chance: float) -> Counts:
    forged = forged_of(questions.n, part)
    most = most_forged(asked, forged, questions.n, chance)
    return most if questions.is_free else np.minimum(most, most_drawn(forged, chance))


def _chance(estimates: ShareEstimates | LevelEstimates, questions: Draw) -> float:
    """Return the chance that an honest report is about one option of the question."""
    if isinstance(estimates, LevelEstimates):
        return questions.part
    return questions.part * analysis_of(estimates.channel.mechanism).asked_part


def question_draws(question: Question, tally: Tally, questions: Draw) -> list[Row]:
    """Return the draws that decided what reports are about, each with what is too uneven."""
    grid = question.kind.grid
    lo, step = (0.0, 1.0) if grid is None else (float(grid.lo), float(grid.step))
    rows = mechanism_draws(question.mechanism, tally, question.options, lo, step)
    if questions.is_certain:
        return rows
    return [_draw_row(QUESTIONS, questions, np.array([tally.n]), [question.id]), *rows]


def mechanism_draws(
    mechanism: TwoLevel, tally: Tally, labels: Sequence[str], lo: float = 0.0, step: float = 1.0
) -> list[Row]:
    """Return the draw of boxes or thresholds, if the mechanism has one."""
    counts = analysis_of(mechanism).drawn(tally)
    if counts is None:
        return []
    draw = Draw(tally.n, int(counts.sum()) // tally.n, len(counts))
    if draw.is_certain:
        return []
    if isinstance(mechanism.domain, Levels):
        labels = [f"{lo + step * t:.10g}" for t in range(1, draw.things + 1)]
        return [_draw_row(THRESHOLDS, draw, counts, labels)]
    return [_draw_row(BOXES, draw, counts, labels)]


def _draw_row(drawn: str, draw: Draw, counts: Counts, labels: Sequence[str]) -> Row:
    chances = draw.chances(counts)
    expected = draw.n * draw.part
    uneven = [
        {
            "label": labels[i],
            "reports": int(counts[i]),
            "expected": expected,
            "p": float(chances[i]),
        }
        for i in np.flatnonzero(chances < FALSE_ALARM).tolist()
    ]
    return {"drawn": drawn, "p": float(chances.min()), "flag": bool(uneven), "uneven": uneven}


def forging_table(survey: Survey, tallies: Mapping[str, Tally], reports: int) -> list[Row]:
    """Return the rows of all questions that have reports."""
    questions = survey_draw(survey, reports)
    return [
        {"question": question.id} | row
        for question in survey.questions
        if (tally := tallies[question.id]).n
        for row in forging_rows(estimate_question(question, tally), question.options, questions)
    ]


def draw_table(survey: Survey, tallies: Mapping[str, Tally], reports: int) -> list[Row]:
    """Return the draws of all questions that have reports."""
    questions = survey_draw(survey, reports)
    return [
        {"question": question.id} | row
        for question in survey.questions
        if (tally := tallies[question.id]).n
        for row in question_draws(question, tally, questions)
    ]
