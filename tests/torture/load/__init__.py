"""Slow clients, overload, races and backups while reports arrive."""

from tests.torture.row import Row

ROWS: tuple[Row, ...] = ()
