"""Planted bugs, planted leaks, the epsilon that a browser really has, and blind tickets."""

from tests.torture.privacy import epsilon, planted_bugs, planted_leaks, signing_time, ticket_faults
from tests.torture.privacy.linking import linking
from tests.torture.row import Row

ROWS: tuple[Row, ...] = (
    *(epsilon.ROW, planted_bugs.ROW, planted_leaks.ROW),
    *(linking.ROW, signing_time.ROW, ticket_faults.ROW),
)
