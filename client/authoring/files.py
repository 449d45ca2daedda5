"""Read and write survey files: YAML, JSON or an XLSForm workbook."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath
from typing import Any

from client.authoring.draft.fields import SURVEY, Declared
from client.authoring.draft.kinds import question_fields
from client.authoring.draft.places import SurveyFile
from client.authoring.draft.survey import build_survey
from client.authoring.foreign import refuse_foreign
from client.authoring.yaml_file import read_yaml, write_yaml
from client.core.document import read_document
from client.core.primitives.refusal import Refusal, require
from client.core.survey import Survey

MAX_FILE_BYTES = 2**21
_ZIP, _OLD_WORKBOOK = b"PK", b"\xd0\xcf\x11\xe0"


def parse_survey_file(data: bytes, name: str) -> SurveyFile:
    """Parse the bytes of a file called `name`: the draft, its places, and faults of the file."""
    require(len(data) <= MAX_FILE_BYTES, "too_large.bytes", name, most=MAX_FILE_BYTES)
    require(not data.startswith(_OLD_WORKBOOK), "old_workbook", name)
    if data.startswith(_ZIP):
        # Imported here, so that those who have no workbooks need no library for them.
        from client.authoring.imports.workbook import read_workbook

        return read_workbook(data, name)
    refuse_foreign(data, name)
    draft, places, notes = read_yaml(data, name)
    if not isinstance(draft, dict):
        raise Refusal("not_a_mapping.file", name)
    return SurveyFile(draft, places, notes=notes)


def read_survey_file(source: Path | bytes, name: str | None = None) -> dict[str, Any]:
    """Return the draft in a file, given as a path or as bytes."""
    if isinstance(source, bytes):
        return parse_survey_file(source, name or "the file").readable_draft()
    return parse_survey_file(read_bytes(source), name or str(source)).readable_draft()


def load_survey(path: Path) -> Survey:
    """Load a survey: verify a published document as a client does, build any other file."""
    data = read_bytes(path)
    return read_document(data) if is_document(data) else parse_survey_file(data, str(path)).build()


def open_survey_file(path: Path) -> SurveyFile:
    """Parse the file at `path`, keeping the place of each part."""
    return parse_survey_file(read_bytes(path), str(path))


def read_bytes(path: Path) -> bytes:
    """Return a file's bytes, up to one byte more than a survey file may have."""
    try:
        with path.open("rb") as file:
            # One byte more than the limit is enough to refuse the file.
            return file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise Refusal("unreadable", str(path), reason=error.strerror) from None


def is_document(data: bytes) -> bool:
    """Return whether this is a published document, valid or not: only those name their format."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "candor" in value


Draft = dict[str, Any]


def write_survey_file(draft: Draft, name: str) -> bytes:
    """Return the bytes of a file of that name, checked to read back as the same survey."""
    survey = build_survey(draft)
    suffix = PurePath(name).suffix.lower()
    if suffix not in _WRITERS:
        raise Refusal("unknown_file_type", name, known=list(_WRITERS))
    data = _WRITERS[suffix](in_order(draft))
    again = parse_survey_file(data, name).build()
    require(again.fingerprint == survey.fingerprint, "not_the_same.file", name)
    return data


def in_order(draft: Draft) -> Draft:
    """Return the draft with its fields in the order in which they are declared."""
    questions = [_sorted(question, question_fields(question)) for question in draft["questions"]]
    return {**_sorted(draft, SURVEY), "questions": questions}


def _sorted(fields: Mapping[str, Any], declared: Declared) -> Draft:
    return {name: fields[name] for name in declared if name in fields}


def _json(draft: Draft) -> bytes:
    return (json.dumps(draft, indent=2, ensure_ascii=False) + "\n").encode()


def _workbook(draft: Draft) -> bytes:
    # Imported here, so that those who have no workbooks need no library for them.
    from client.authoring.xlsform.workbook import write_workbook

    return write_workbook(draft)


_WRITERS: Mapping[str, Callable[[Draft], bytes]] = {
    ".yaml": write_yaml,
    ".yml": write_yaml,
    ".json": _json,
    ".xlsx": _workbook,
}
