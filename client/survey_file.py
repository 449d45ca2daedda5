"""The one reader of survey files: YAML, JSON or an XLSForm workbook becomes a draft, or a survey.

Size first, then the form that the bytes have. A refusal names the line, or the cell, it is about.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from client.document import read_document
from client.draft import build_survey
from client.places import Places, path_of, place_of
from client.refusal import Refusal, require
from client.survey import Survey
from client.yaml_file import read_yaml

MAX_FILE_BYTES = 2**21
READABLE = (
    "a survey file is YAML or JSON with fields such as title and questions, "
    "or an XLSForm workbook (.xlsx)"
)
_ZIP, _OLD_WORKBOOK = b"PK", b"\xd0\xcf\x11\xe0"


@dataclass(frozen=True)
class SurveyFile:
    """A draft, and where each part of it stands."""

    draft: dict[str, Any]
    places: Places
    # What is wrong with the file itself, and what in it has no effect; of a workbook only.
    faults: tuple[Refusal, ...] = ()
    notes: tuple[Refusal, ...] = ()

    def sound_draft(self) -> dict[str, Any]:
        """The draft, if the file could be read to its end."""
        for fault in self.faults:
            raise fault
        return self.draft

    def build(self) -> Survey:
        """The survey; a refusal names its place in the file."""
        draft = self.sound_draft()
        try:
            return build_survey(draft)
        except Refusal as refusal:
            place = place_of(path_of(refusal, draft), self.places)
            message = f"{place}: {refusal.message}" if place else refusal.message
            raise Refusal(refusal.code, message, refusal.field, refusal.inside) from None


def parse_survey_file(data: bytes, name: str) -> SurveyFile:
    """What stands in the bytes of a file called `name`, with everything that can be said of it."""
    require(
        len(data) <= MAX_FILE_BYTES,
        "too_large",
        f"{name} must be at most {MAX_FILE_BYTES} bytes",
        name,
    )
    require(
        not data.startswith(_OLD_WORKBOOK),
        "old_workbook",
        f"{name} is a workbook of the old kind, or has a password; save it as .xlsx without one",
        name,
    )
    if data.startswith(_ZIP):
        # Imported here, so that those who have no workbooks need no library for them.
        from client.xlsform.reading import read_workbook

        return read_workbook(data, name)
    draft, places = read_yaml(data, name)
    if not isinstance(draft, dict):
        raise Refusal("not_a_mapping", f"{name} holds no survey; {READABLE}", name)
    return SurveyFile(draft, places)


def read_survey_file(source: Path | bytes, name: str | None = None) -> dict[str, Any]:
    """The draft in a file, or in the bytes of one."""
    if isinstance(source, bytes):
        return parse_survey_file(source, name or "the file").sound_draft()
    return parse_survey_file(bytes_of(source), name or str(source)).sound_draft()


def load_survey(path: Path) -> Survey:
    """A published document is verified as a client would; a survey file is built."""
    data = bytes_of(path)
    return read_document(data) if is_document(data) else parse_survey_file(data, str(path)).build()


def open_survey_file(path: Path) -> SurveyFile:
    """The file with its places, to be looked through."""
    return parse_survey_file(bytes_of(path), str(path))


def bytes_of(path: Path) -> bytes:
    """What stands in a file, as far as any survey file may reach."""
    try:
        with path.open("rb") as file:
            # One byte too many is enough to refuse the rest unread.
            return file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise Refusal("unreadable", f"{path} cannot be read: {error.strerror}", str(path)) from None


def is_document(data: bytes) -> bool:
    """Only a published document says which format it has. Whether it is sound is asked later."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "candor" in value
