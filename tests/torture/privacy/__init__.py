"""Planted bugs, planted leaks and the epsilon that a browser really has."""

from tests.torture.privacy import epsilon, planted_bugs, planted_leaks
from tests.torture.row import Row

ROWS: tuple[Row, ...] = (epsilon.ROW, planted_bugs.ROW, planted_leaks.ROW)
