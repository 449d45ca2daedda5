"""Mutated reports, documents and imports: refused in one sentence, never a crash."""

from tests.torture.bad_input import documents, reports, same_verdict
from tests.torture.row import Row

ROWS: tuple[Row, ...] = (documents.ROW, reports.ROW, same_verdict.ROW)
