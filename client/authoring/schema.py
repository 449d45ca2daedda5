"""Generate the JSON Schema (2020-12) of survey files from the declared fields.

Files are read with their scalars as written, so the schema accepts `5`, `"5"`, `0.5` and `"0.5"`
alike. Rules that involve two fields (labels that look alike, complete translations, a mechanism
that fits) are left to the reader. Whatever the schema refuses, the reader refuses too.
"""

import json
from functools import lru_cache
from typing import Any

from client.authoring.draft.fields import (
    COMPLETION_FIELDS,
    EVERY_QUESTION,
    FACTOR,
    GROUP_COMPLETION_FIELDS,
    GROUPS,
    IS_BETWEEN,
    IS_OPTION,
    SURVEY,
    Declared,
    Field,
)
from client.authoring.draft.kinds import KIND_DECLARATIONS
from client.authoring.draft.reader import INTEGER
from client.core import completion
from client.core.conditions import ALL, ANY, MAX_CONDITIONS
from client.core.groups import MAX_FACTORS
from client.core.mechanisms import MECHANISMS
from client.core.primitives.values import CONTROL, DAY, MAX_PAGE, MAX_TEXT, PLAIN
from client.core.question import QUESTION_ID
from client.core.survey import MAX_QUESTIONS, SLUG
from client.core.translation import CODE

Schema = dict[str, Any]

# The address it is served at, which is also its name in other places.
PATH = "/schema/survey.json"
NAME = "urn:candor:survey-file"

# From 0.01 to 10, both included.
_EPSILON = r"0\.(0[1-9][0-9]{0,4}|[1-9][0-9]{0,5})|[1-9](\.[0-9]{1,6})?|10(\.0{1,6})?"


@lru_cache(1)
def survey_schema() -> Schema:
    """Return the whole schema. It is built once, so callers must not change it."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": NAME,
        "title": "A Candor survey file",
        **_object(SURVEY),
        "allOf": _budgets(),
        "$defs": {**_forms(), "question": _question(), **_kinds()},
    }


def schema_bytes() -> bytes:
    """Return the schema as it is printed and served."""
    return (json.dumps(survey_schema(), indent=2) + "\n").encode()


def _object(declared: Declared) -> Schema:
    return {
        "type": "object",
        "properties": {name: _property(field) for name, field in declared.items()},
        "required": [name for name, field in declared.items() if field.required],
        "additionalProperties": False,
    }


def _property(field: Field) -> Schema:
    form = field.form
    if form.name == "labels":
        items = {"$ref": "#/$defs/label"}
        shape = {"type": "array", "items": items, "minItems": form.low, "maxItems": form.high}
        return {"description": field.says, **shape, "uniqueItems": True}
    if form.name == "one_of":
        return {"description": field.says, "enum": list(form.values)}
    return {"description": field.says, "$ref": f"#/$defs/{form.name}"}


def _question() -> Schema:
    """Return the schema of a question, whose fields depend on its kind."""
    by_kind = [
        {"if": _has_kind(name), "then": {"$ref": f"#/$defs/{name}_question"}}
        for name in KIND_DECLARATIONS
    ]
    usual = {"$ref": f"#/$defs/{EVERY_QUESTION['kind'].default}_question"}
    absent = {"if": {"not": {"required": ["kind"]}}, "then": usual}
    known = {"kind": {"$ref": "#/$defs/kind"}}
    return {"type": "object", "properties": known, "allOf": [*by_kind, absent]}


def _has_kind(name: str) -> Schema:
    return {"properties": {"kind": {"const": name}}, "required": ["kind"]}


def _kinds() -> Schema:
    declared = KIND_DECLARATIONS.items()
    return {f"{name}_question": _object(declaration.fields) for name, declaration in declared}


def _budgets() -> list[Schema]:
    """Require either a total with weights, or an epsilon per question or for the survey."""
    every, none = {"required": ["epsilon"]}, {"not": {"required": ["epsilon"]}}
    no_weight = {"not": {"required": ["weight"]}}
    return [
        {
            "if": {"required": ["total_epsilon"]},
            "then": {**none, "properties": {"questions": {"items": none}}},
            "else": {"properties": {"questions": {"items": no_weight}}},
        },
        {
            "if": {"not": {"anyOf": [{"required": ["total_epsilon"]}, every]}},
            "then": {"properties": {"questions": {"items": every}}},
        },
    ]


def _forms() -> Schema:
    """Return the schema of each form that a field can be written in."""
    scalar = {"type": ["number", "boolean"]}
    text: Schema = {"type": "string", "maxLength": MAX_TEXT, "not": {"pattern": CONTROL.pattern}}
    said = {"allOf": [text, {"pattern": r"\S"}]}
    label = {"allOf": [text, {"pattern": r"^\S([\s\S]*\S)?$"}, {"not": {"enum": ["~", "null"]}}]}
    silence = {"allOf": [text, {"pattern": r"^$|\S"}]}
    item = {"$ref": "#/$defs/question"}
    return {
        "slug": {"type": "string", "pattern": f"^{SLUG.pattern}$"},
        "id": {"type": "string", "pattern": f"^{QUESTION_ID.pattern}$"},
        "day": {"type": "string", "pattern": f"^({DAY.pattern})?$"},
        "language": {"type": "string", "pattern": f"^{CODE.pattern}$"},
        "name": {"enum": list(MECHANISMS)},
        "kind": {"enum": list(KIND_DECLARATIONS)},
        "text": _in_languages(said, scalar),
        "any_text": _in_languages(text, scalar),
        "page_text": _in_languages({**text, "maxLength": MAX_PAGE}, scalar),
        "silence": _in_languages(silence, scalar),
        "label": _in_languages(label, scalar),
        "whole": {
            "anyOf": [{"type": "string", "pattern": f"^{INTEGER.pattern}$"}, {"type": "integer"}]
        },
        "decimal": _number(PLAIN.pattern),
        "epsilon": _number(_EPSILON, minimum=0.01, maximum=10),
        "questions": {"type": "array", "items": item, "minItems": 1, "maxItems": MAX_QUESTIONS},
        "groups": _object(GROUPS),
        "factors": {
            "type": "array",
            "items": _object(FACTOR),
            "minItems": 1,
            "maxItems": MAX_FACTORS,
        },
        **_completion_forms(),
        "show_if": _show_if(),
        "flag": _flag(),
        "anchored": _one_or_more({"anyOf": [{"type": "string"}, scalar]}),
        "one_or_more": _one_or_more({"anyOf": [{"type": "string"}, scalar]}),
    }


def _flag() -> Schema:
    """Return the schema of a switch: a boolean, or a word for it in any case."""
    words = ("true", "yes", "on", "false", "no", "off")
    letters = ("".join(f"[{sign.upper()}{sign}]" for sign in word) for word in words)
    text = {"type": "string", "pattern": f"^({'|'.join(letters)})?$"}
    return {"anyOf": [text, {"type": "boolean"}]}


def _completion_forms() -> Schema:
    name = {"type": "string", "pattern": f"^{completion.NAME.pattern}$"}
    address = f"^({completion.REDIRECT.pattern})?$"
    return {
        "completion": {**_object(COMPLETION_FIELDS), "minProperties": 1},
        "by_group": {
            "type": "object",
            "additionalProperties": {**_object(GROUP_COMPLETION_FIELDS), "minProperties": 1},
        },
        "code": {"type": "string", "pattern": f"^({completion.CODE.pattern})?$"},
        "address": {"type": "string", "pattern": address, "maxLength": completion.MAX_REDIRECT},
        "names": {
            "type": "array",
            "items": name,
            "maxItems": completion.MAX_PASSED_ON,
            "uniqueItems": True,
        },
    }


def _show_if() -> Schema:
    """Return the schema of one condition, or of several that are joined."""
    condition = {"anyOf": [_object(IS_OPTION), _object(IS_BETWEEN)]}
    several = {"type": "array", "items": condition, "minItems": 2, "maxItems": MAX_CONDITIONS}
    joined = [
        {
            "type": "object",
            "properties": {name: several},
            "required": [name],
            "additionalProperties": False,
        }
        for name in (ALL, ANY)
    ]
    return {"anyOf": [*condition["anyOf"], *joined]}


def _number(pattern: str, **limits: float) -> Schema:
    text = {"type": "string", "pattern": f"^({pattern})$"}
    return {"anyOf": [text, {"type": "number", **limits}]}


def _in_languages(text: Schema, scalar: Schema) -> Schema:
    """Return the schema of a text, or of the same text in several languages."""
    by_language = {
        "type": "object",
        "propertyNames": {"pattern": f"^{CODE.pattern}$"},
        "additionalProperties": {"anyOf": [text, scalar]},
        "minProperties": 1,
    }
    return {"anyOf": [text, scalar, by_language]}


def _one_or_more(item: Schema) -> Schema:
    return {"anyOf": [item, {"type": "array", "items": item, "minItems": 1}]}
