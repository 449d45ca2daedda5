"""A tally as a file: canonical JSON with its survey's document, its counts and a checksum."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from client.console.files import new_file
from client.core.document import read_document
from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal, require, within
from client.core.survey import Survey
from estimators.counting.reports_file import file_size, open_file
from estimators.counting.tally import Tally
from estimators.tallies.survey_tally import GroupTally, Part, SurveyTally

SUFFIX = ".json"
FORM = 1
# The key that tells a tally from other JSON; its value is the version of the form.
MARK = "candor_tally"
MAX_BYTES = 2**28
# The survey's document nests seven levels.
MAX_DEPTH = 9

_KEYS = frozenset([MARK, "fingerprint", "survey", "reports", "parts", "groups", "checksum"])
_PART_KEYS = frozenset(["digest", "reports"])
_GROUP_KEYS = frozenset(["group", "reports", "questions"])
_TALLY_KEYS = frozenset(["n", "counts"])


def tally_bytes(tally: SurveyTally) -> bytes:
    """Return the bytes of the file."""
    value = {
        MARK: FORM,
        "fingerprint": tally.survey.fingerprint,
        "survey": json.loads(tally.survey.document),
        "reports": tally.reports,
        "parts": [{"digest": part.digest, "reports": part.reports} for part in tally.parts],
        "groups": [
            {"group": code, "reports": group.reports, "questions": _counts(group)}
            for code, group in tally.groups.items()
        ],
    }
    return canonical.canonical(value | {"checksum": _checksum(value)}) + b"\n"


def _counts(group: GroupTally) -> dict[str, Any]:
    return {id: {"n": tally.n, "counts": list(tally.counts)} for id, tally in group.tallies.items()}


def _checksum(value: Mapping[str, Any]) -> str:
    return hashlib.sha256(canonical.canonical(value)).hexdigest()


def write_tally(tally: SurveyTally, path: Path) -> None:
    """Write a new file of which every other installation can read every count."""
    require(is_tally_file(path), "unknown_file_type.tally", str(path), suffix=SUFFIX)
    data = tally_bytes(tally)
    require(len(data) <= MAX_BYTES, "too_large.bytes", str(path), most=MAX_BYTES)
    with new_file(path) as file:
        file.write(data)


def is_tally_file(path: Path) -> bool:
    """Return whether a file's name says that it is a tally."""
    return path.suffix == SUFFIX


def read_tally(path: Path) -> SurveyTally:
    """Read a tally file, and check all that can be checked."""
    require(file_size(path) <= MAX_BYTES, "too_large.bytes", str(path), most=MAX_BYTES)
    with open_file(path) as file:
        data = file.read(MAX_BYTES + 1)
    with within(str(path), name=str(path)):
        return parse_tally(data)


def parse_tally(data: bytes) -> SurveyTally:
    """Read the bytes of a tally file strictly."""
    value = canonical.parse(data, MAX_BYTES, "the tally", MAX_DEPTH)
    if not isinstance(value, dict) or MARK not in value:
        raise Refusal("not_a_tally")
    form = value[MARK]
    require(type(form) is int and form == FORM, "bad_tally.form", MARK, form=form, known=FORM)
    value = canonical.exact_keys(value, _KEYS, "the tally")
    checked = {key: part for key, part in value.items() if key != "checksum"}
    require(value["checksum"] == _checksum(checked), "bad_tally.checksum", "checksum")
    survey = read_document(canonical.canonical(value["survey"]))
    own = value["fingerprint"] == survey.fingerprint
    require(own, "bad_tally.fingerprint", "fingerprint", fingerprint=survey.fingerprint)
    groups = [_read_group(item, survey) for item in _list(value["groups"], "groups")]
    require(len(dict(groups)) == len(groups), "bad_tally.groups", "groups")
    parts = tuple(_read_part(item) for item in _list(value["parts"], "parts"))
    tally = SurveyTally(survey, dict(groups), parts)
    got = value["reports"]
    require(got == tally.reports, "bad_tally.reports", "reports", parts=got, groups=tally.reports)
    return tally


def _read_part(item: object) -> Part:
    value = canonical.exact_keys(item, _PART_KEYS, "part")
    return Part(str(value["digest"]), value["reports"])


def _read_group(item: object, survey: Survey) -> tuple[str, GroupTally]:
    value = canonical.exact_keys(item, _GROUP_KEYS, "group")
    ids = frozenset(question.id for question in survey.questions)
    questions = canonical.exact_keys(value["questions"], ids, "questions")
    tallies = {question.id: _read_counts(questions[question.id]) for question in survey.questions}
    return str(value["group"]), GroupTally(value["reports"], tallies)


def _read_counts(item: object) -> Tally:
    value = canonical.exact_keys(item, _TALLY_KEYS, "question")
    return Tally(tuple(_list(value["counts"], "counts")), value["n"])


def _list(value: object, field: str) -> list[Any]:
    if not isinstance(value, list):
        raise Refusal("bad_tally.list", field)
    return value
