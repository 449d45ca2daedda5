"""Slow clients, overload, readers, guesses and forged reports: respondents get through."""

from tests.torture.load import accepts, guesses, readers, slow_clients, stuffing
from tests.torture.row import Row

ROWS: tuple[Row, ...] = (
    accepts.ROW,
    slow_clients.ROW,
    readers.ROW,
    guesses.ROW,
    stuffing.ROW,
)
