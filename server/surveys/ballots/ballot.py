"""A ballot: a checked report with the hash of its ticket, ready to be stored."""

from dataclasses import dataclass, field

from client.core.primitives import canonical
from client.core.report import Report
from client.core.survey import Survey
from server.surveys.strays import HELD


@dataclass(frozen=True)
class Ballot:
    """A checked report, ready to be stored. The group is a code: the ticket's, or the report's.

    What is stored is made here and not by the writer, so that a fault concerns this report alone.
    """

    survey: Survey
    id: str
    report: Report
    ticket_hash: bytes
    group: str = ""
    # Canonical JSON, so equal reports are equal text.
    content: str = field(init=False)
    # Each question's id with the cell of its tally that grows by one.
    cells: tuple[tuple[str, int], ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "content", report_content(self.report))
        object.__setattr__(self, "cells", tuple(self.report.cells(self.survey)))


@dataclass(frozen=True)
class StoredReport:
    """What the database keeps under a report's id."""

    content: str
    group: str

    def is_same_as(self, report: Report, content: str) -> bool:
        """Tell whether a report is this one; closing may have moved it to another group."""
        is_same_group = not report.group or self.group in (report.group, "", HELD)
        return content == self.content and is_same_group


def report_content(report: Report) -> str:
    """Return what is stored of a report's answers."""
    return canonical.canonical(report.randomized).decode()
