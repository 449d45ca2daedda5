"""Mutated reports, documents and imports: refused in one sentence, never a crash."""

from tests.torture.bad_input import documents, imports, reports, same_verdict
from tests.torture.row import Row

ROWS: tuple[Row, ...] = (documents.ROW, reports.ROW, imports.ROW, same_verdict.ROW)
