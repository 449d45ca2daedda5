"""Read reports given as rows of text: many at a time, as strictly as one by one.

Each distinct cell of a column is parsed once, however often it occurs: most files hold far fewer
distinct cells than rows.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal, within
from client.core.question import Question
from client.core.report import check_asked
from client.core.survey import MAX_REPORT_BYTES, Survey
from estimators.counting.tally import Counting

# How many rows, and how much text, may wait to be counted together.
MOST_ROWS = 2**13
MOST_BYTES = 2**22
NOT_ASKED = "null"


class TextRows(ABC):
    """Rows of text with one cell per question: the JSON of its randomized answer."""

    def __init__(self, survey: Survey, ids: Sequence[str], place: str) -> None:
        questions = {question.id: question for question in survey.questions}
        self._columns = [questions[id] for id in ids]
        self._survey, self._place = survey, place
        self._rows: list[Sequence[str]] = []
        self._numbers: list[int] = []
        self._bytes = 0

    def add(self, number: int, cells: Sequence[str], size: int, group: str = "") -> None:
        """Add a row with its number and its size in the file, and its group, which is no answer."""
        self._rows.append(cells)
        self._numbers.append(number)
        self._bytes += size
        if len(self._rows) == MOST_ROWS or self._bytes > MOST_BYTES:
            self.finish()

    def finish(self) -> None:
        """Check and take the waiting rows."""
        if not self._rows:
            return
        for question, cells in zip(self._columns, zip(*self._rows, strict=True), strict=True):
            self._take_column(question, cells)
        if self._survey.ask_each_person:
            self._check_asked()
        self._rows, self._numbers, self._bytes = [], [], 0

    @abstractmethod
    def _take_column(self, question: Question, cells: Sequence[str]) -> None:
        """Take the waiting cells of one question, in the order of the rows."""

    def _read(self, question: Question, cells: Sequence[str], cell: str) -> Any:
        """Return the randomized answer in a cell, None if not asked; raise with its first line."""
        if cell == NOT_ASKED and self._survey.ask_each_person:
            return None
        try:
            randomized = canonical.parse(cell.encode(), MAX_REPORT_BYTES, question.id)
            question.mechanism.check(randomized, question.id)
        except Refusal:
            with self._at(cells.index(cell)):
                raise
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


class CountedRows(TextRows):
    """Rows of which only the counts matter."""

    def __init__(self, counting: Counting, ids: Sequence[str], place: str) -> None:
        super().__init__(counting.survey, ids, place)
        self._counting = counting
        self._groups: list[str] = []

    def add(self, number: int, cells: Sequence[str], size: int, group: str = "") -> None:
        self._groups.append(group)
        super().add(number, cells, size)

    def finish(self) -> None:
        super().finish()
        self._groups = []

    def _take_column(self, question: Question, cells: Sequence[str]) -> None:
        # In order of first appearance, so that the error names the first bad cell.
        for (cell, group), times in Counter(zip(cells, self._groups, strict=True)).items():
            randomized = self._read(question, cells, cell)
            if randomized is not None:
                self._counting.add(question, randomized, times, group)
