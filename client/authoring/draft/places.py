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


def partly_read(file: "SurveyFile", first: Refusal) -> Refusal:
    """Return the refusal of a file of which only a part can be asked."""
    return Refusal("partly_read", summary=file.loss_summary(), first=first.message)


@dataclass(frozen=True)
class SurveyFile:
    """A draft, and the place of each part in its file."""

    draft: dict[str, Any]
    places: Places
    # Only workbooks have these: faults of the file itself; columns that have no effect; rows that
    # cannot be asked; and cells that are read in another way than they were meant.
    faults: tuple[Refusal, ...] = ()
    notes: tuple[Refusal, ...] = ()
    left_out: tuple[Refusal, ...] = ()
    changed: tuple[Refusal, ...] = ()
    # The result of reading the draft, if whoever made it has read it.
    known: ReadDraft | None = None

    @cached_property
    def reading(self) -> ReadDraft:
        """The result of reading the draft, which is done once."""
        return self.known or read_draft(self.draft)

    def loss_summary(self) -> str:
        """Return how much of the file can be asked, in words."""
        parts = [
            _counted(len(self.draft.get("questions", ())), "question can", "questions can"),
            _counted(len(self.left_out), "row was", "rows were"),
            _counted(len(self.changed), "thing was", "things were"),
        ]
        ends = ("be asked", "left out", "changed")
        told = [f"{part} {end}" for part, end in zip(parts, ends, strict=True)]
        return "; ".join(part for part in told if part == told[0] or not part.startswith("0 "))

    @property
    def is_whole(self) -> bool:
        """Whether the draft is all that the file asks, as the file asks it."""
        return not self.left_out and not self.changed

    def readable_draft(self) -> dict[str, Any]:
        """Return the draft of a file that can be asked as a whole; raise if it cannot."""
        self._check_file()
        for reason in (*self.left_out, *self.changed):
            raise partly_read(self, reason)
        return self.draft

    def build(self) -> Survey:
        """Return the survey of such a file, or raise a refusal that names its place in the file."""
        self.readable_draft()
        return self.build_rest()

    def build_rest(self) -> Survey:
        """Return the survey without what is left out of it, or raise the first fault."""
        self._check_file()
        for fault in self.reading.faults:
            with within(name=place_of(fault.path, self.places) or "survey"):
                raise fault
        return self.reading.valid_survey()

    def _check_file(self) -> None:
        for fault in self.faults:
            raise fault


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
