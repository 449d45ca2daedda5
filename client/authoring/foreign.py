"""Recognize the files of other survey programs, to say what to do with them."""

import json
import re
from typing import Any

from client.core.primitives.refusal import Refusal

_LIME_XML = re.compile(rb"<LimeSurveyDocType>\s*(\w+)")
# The first columns of a survey that LimeSurvey saves as a table.
_LIME_TABLE = re.compile(rb'"?(?:id"?\t"?related_id"?\t"?)?class"?\t"?type/scale"?\t"?name"?\t')
_XFORM = (b"<h:html", b"http://www.w3.org/2002/xforms")
_PARTS = 4096


def refuse_foreign(data: bytes, name: str) -> None:
    """Raise if the file is of a program whose surveys cannot be read."""
    start = data[:_PARTS].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"<") and _LIME_XML.search(data[: 16 * _PARTS]):
        raise Refusal("foreign_file.limesurvey", name)
    if _LIME_TABLE.match(start):
        raise Refusal("foreign_file.limesurvey", name)
    if start.startswith(b"<") and any(mark in start for mark in _XFORM):
        raise Refusal("foreign_file.xform", name)
    if start.startswith(b"{"):
        _refuse_json(data, name)


def _refuse_json(data: bytes, name: str) -> None:
    try:
        value: Any = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return
    if not isinstance(value, dict) or "questions" in value:
        return
    if "SurveyEntry" in value or "SurveyElements" in value:
        raise Refusal("foreign_file.qualtrics", name)
    if _has_elements(value) or any(map(_has_elements, _listed(value.get("pages")))):
        raise Refusal("foreign_file.surveyjs", name)


def _has_elements(page: Any) -> bool:
    """Return whether this is a page of SurveyJS: elements, each with a type."""
    elements = _listed(page.get("elements")) if isinstance(page, dict) else []
    return any(isinstance(one, dict) and "type" in one for one in elements)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
