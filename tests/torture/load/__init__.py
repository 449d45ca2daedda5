"""Slow clients, overload, readers, guesses and forged reports: respondents get through."""

from tests.torture.load import accepts, guesses, overload, readers, slow_clients, stuffing
from tests.torture.row import Row

ROWS: tuple[Row, ...] = (
    accepts.ROW,
    slow_clients.ROW,
    overload.ROW,
    readers.ROW,
    guesses.ROW,
    stuffing.ROW,
)
