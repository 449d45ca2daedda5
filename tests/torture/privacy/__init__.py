"""Planted bugs, planted leaks and the epsilon that a browser really has."""

from tests.torture.row import Row

ROWS: tuple[Row, ...] = ()
