"""Slow clients, overload, readers, beginners, guesses and forged reports: people get through."""

from tests.torture.load import (
    accepts,
    beginners,
    guesses,
    overload,
    readers,
    slow_clients,
    stuffing,
)
from tests.torture.row import Row

ROWS: tuple[Row, ...] = (
    accepts.ROW,
    slow_clients.ROW,
    overload.ROW,
    readers.ROW,
    beginners.ROW,
    guesses.ROW,
    stuffing.ROW,
)
