"""A draft becomes a survey file: YAML, JSON or an XLSForm workbook, by the file's name."""

import json
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any

from client.draft import build_survey
from client.refusal import Refusal, require
from client.survey_fields import SURVEY, Declared, question_fields
from client.survey_file import parse_survey_file
from client.yaml_file import write_yaml

Draft = dict[str, Any]


def write_survey_file(draft: Draft, name: str) -> bytes:
    """The bytes of a file of that name, proven to read back as the same survey."""
    survey = build_survey(draft)
    suffix = PurePath(name).suffix.lower()
    if suffix not in _WRITERS:
        known = ", ".join(_WRITERS)
        raise Refusal("unknown_file_type", f"{name} must end in one of {known}", name)
    data = _WRITERS[suffix](in_order(draft))
    again = parse_survey_file(data, name).build()
    require(
        again.fingerprint == survey.fingerprint,
        "not_the_same",
        f"{name} would not be the same survey, and is not written",
        name,
    )
    return data


def in_order(draft: Draft) -> Draft:
    """The fields in the order in which they are declared, texts all the same."""
    questions = [_sorted(question, question_fields(question)) for question in draft["questions"]]
    return {**_sorted(draft, SURVEY), "questions": questions}


def _sorted(fields: Mapping[str, Any], declared: Declared) -> Draft:
    return {name: fields[name] for name in declared if name in fields}


def _json(draft: Draft) -> bytes:
    return (json.dumps(draft, indent=2, ensure_ascii=False) + "\n").encode()


def _workbook(draft: Draft) -> bytes:
    # Imported here, so that those who have no workbooks need no library for them.
    from client.xlsform.workbook import write_workbook

    return write_workbook(draft)


_WRITERS: Mapping[str, Callable[[Draft], bytes]] = {
    ".yaml": write_yaml,
    ".yml": write_yaml,
    ".json": _json,
    ".xlsx": _workbook,
}
