"""Find where a part of a draft is in its file: a line of YAML, or a cell of a workbook."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from client.authoring.draft.faults import Path, path_text
from client.authoring.draft.survey import ReadDraft, read_draft
from client.core.primitives.refusal import Refusal, within
from client.core.survey import Survey

Places = Mapping[Path, str]


def place_of(path: Path, places: Places) -> str:
    """Return the place of a part or, if it is missing, of the nearest part that contains it."""
    for length in range(len(path), -1, -1):
        if path[:length] in places:
            return places[path[:length]]
    return path_text(path)


@dataclass(frozen=True)
class SurveyFile:
    """A draft, and the place of each part in its file."""

    draft: dict[str, Any]
    places: Places
    # Faults of the file itself, and columns that have no effect; only workbooks have them.
    faults: tuple[Refusal, ...] = ()
    notes: tuple[Refusal, ...] = ()

    @cached_property
    def reading(self) -> ReadDraft:
        """The result of reading the draft, which is done once."""
        return read_draft(self.draft)

    def readable_draft(self) -> dict[str, Any]:
        """Return the draft; raise the first fault of the file itself, if there is one."""
        for fault in self.faults:
            raise fault
        return self.draft

    def build(self) -> Survey:
        """Return the survey, or raise a refusal that names its place in the file."""
        self.readable_draft()
        for fault in self.reading.faults:
            with within(name=place_of(fault.path, self.places) or "survey"):
                raise fault
        return self.reading.valid_survey()
