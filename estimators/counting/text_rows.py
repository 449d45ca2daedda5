"""Count reports given as rows of text: many at a time, as strictly as one by one.

Each distinct cell of a column is parsed once and counted as often as it occurs: most files hold far
fewer distinct cells than rows.
"""

from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal, within
from client.core.question import Question
from client.core.report import check_asked
from client.core.survey import MAX_REPORT_BYTES
from estimators.counting.tally import Counting

# How many rows, and how much text, may wait to be counted together.
MOST_ROWS = 2**13
MOST_BYTES = 2**22
NOT_ASKED = "null"


class TextRows:
    """Rows of text with one cell per question: the JSON of its randomized answer."""

    def __init__(self, counting: Counting, ids: Sequence[str], place: str) -> None:
        questions = {question.id: question for question in counting.survey.questions}
        self._columns = [questions[id] for id in ids]
        self._counting, self._survey, self._place = counting, counting.survey, place
        self._rows: list[Sequence[str]] = []
        self._numbers: list[int] = []
        self._bytes = 0

    def add(self, number: int, cells: Sequence[str], size: int) -> None:
        """Add a row with its number and its size in the file."""
        self._rows.append(cells)
        self._numbers.append(number)
        self._bytes += size
        if len(self._rows) == MOST_ROWS or self._bytes > MOST_BYTES:
            self.count()

    def count(self) -> None:
        """Check and count the waiting rows."""
        if not self._rows:
            return
        for question, cells in zip(self._columns, zip(*self._rows, strict=True), strict=True):
            self._count_column(question, cells)
        if self._survey.ask_each_person:
            self._check_asked()
        self._rows, self._numbers, self._bytes = [], [], 0

    def _count_column(self, question: Question, cells: Sequence[str]) -> None:
        # In order of first appearance, so that the error names the first bad cell.
        for cell, times in Counter(cells).items():
            try:
                randomized = self._read(question, cell)
            except Refusal:
                with self._at(cells.index(cell)):
                    raise
            if randomized is not None:
                self._counting.add(question, randomized, times)

    def _read(self, question: Question, cell: str) -> Any:
        if cell == NOT_ASKED and self._survey.ask_each_person:
            return None
        randomized = canonical.parse(cell.encode(), MAX_REPORT_BYTES, question.id)
        question.mechanism.check(randomized, question.id)
        return randomized

    def _check_asked(self) -> None:
        for row, cells in enumerate(self._rows):
            asked = len(cells) - cells.count(NOT_ASKED)
            if asked != self._survey.asked:
                with self._at(row):
                    check_asked(asked, self._survey)

    def _at(self, row: int) -> AbstractContextManager[None]:
        line = self._numbers[row]
        return within("line", line, name=f"{self._place} {line}")
