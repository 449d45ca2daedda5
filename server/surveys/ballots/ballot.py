"""A ballot: a checked report with the id that its ticket gives it, ready to be stored."""

from dataclasses import dataclass, field

from client.core.primitives import canonical
from client.core.report import Report
from client.core.survey import Survey


@dataclass(frozen=True)
class Ballot:
    """A checked report, ready to be stored. The group is a code: the ticket's, or the report's.

    What is stored is made here and not by the writer, so that a fault concerns this report alone.
    """

    survey: Survey
    id: str
    report: Report
    group: str = ""
    # Canonical JSON, so equal reports are equal text.
    content: str = field(init=False)
    # Each question's id with the cell of its tally that grows by one.
    cells: tuple[tuple[str, int], ...] = field(init=False)

    @property
    def stored(self) -> "StoredReport":
        return StoredReport(self.content, self.group)

    def __post_init__(self) -> None:
        content = canonical.canonical(self.report.randomized).decode()
        object.__setattr__(self, "content", content)
        object.__setattr__(self, "cells", tuple(self.report.cells(self.survey)))


@dataclass(frozen=True)
class StoredReport:
    """What the database keeps under a report's id."""

    content: str
    group: str
