"""Where a part of a draft stands in its file: the line of a YAML file, the cell of a workbook."""

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
    """The place itself, or that of the nearest part around it: what is missing stands nowhere."""
    for length in range(len(path), -1, -1):
        if path[:length] in places:
            return places[path[:length]]
    return path_text(path)


@dataclass(frozen=True)
class SurveyFile:
    """A draft, and where each part of it stands."""

    draft: dict[str, Any]
    places: Places
    # What is wrong with the file itself, and what in it has no effect; of a workbook only.
    faults: tuple[Refusal, ...] = ()
    notes: tuple[Refusal, ...] = ()

    @cached_property
    def reading(self) -> ReadDraft:
        """All that is found in the draft, which is read once."""
        return read_draft(self.draft)

    def sound_draft(self) -> dict[str, Any]:
        """The draft, if the file could be read to its end."""
        for fault in self.faults:
            raise fault
        return self.draft

    def build(self) -> Survey:
        """The survey; a refusal names its place in the file."""
        self.sound_draft()
        for fault in self.reading.faults:
            with within(name=place_of(fault.path, self.places) or "survey"):
                raise fault
        return self.reading.valid_survey()
