"""Slow clients, overload, readers, guesses and forged reports: respondents get through."""

from tests.torture.load import accepts, guesses, stuffing
from tests.torture.row import Row

ROWS: tuple[Row, ...] = (accepts.ROW, guesses.ROW, stuffing.ROW)
