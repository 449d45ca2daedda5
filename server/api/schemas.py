"""JSON Schemas of what the API takes and returns."""

from typing import Any

from client.wording.levels import LEVELS
from estimators.tables.table import COLUMNS
from server.api.description import ApiResponse, Schema
from server.clock.trust import Trust
from server.surveys.researchers import Role, Scope
from server.surveys.states import State
from server.web.requests import MOST_PER_PAGE

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 1}
BOOLEAN: Schema = {"type": "boolean"}
_NUMBER: Schema = {"type": "number"}
DAY: Schema = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\d$"}
DAY_OR_MOMENT: Schema = {
    "type": "string",
    "pattern": r"^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$",
}
MOMENT: Schema = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"}
FLAG: Schema = {"type": "string", "enum": ["true", "false"]}


def optional(schema: Schema) -> Schema:
    return {**schema, "type": [schema["type"], "null"]}


def one_of(words: Any) -> Schema:
    return {"type": "string", "enum": [str(word) for word in words]}


def shape(**fields: Schema) -> Schema:
    """Return the schema of an object with exactly these fields."""
    return {
        "type": "object",
        "properties": fields,
        "required": sorted(fields),
        "additionalProperties": False,
    }


def many(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


def responds(description: str, schema: Schema, status: int = 200) -> dict[int, ApiResponse]:
    """Return the responses of an operation that has only one."""
    return {status: ApiResponse(description, schema)}


LEVEL = one_of(LEVELS)
PAGES: dict[str, Schema] = {"page": COUNT, "per_page": COUNT | {"maximum": MOST_PER_PAGE}}
ERROR = shape(error=shape(code=TEXT, message=TEXT, field=optional(TEXT)))
_LIFE = {
    "state": one_of(State),
    "opens": optional(DAY),
    "last_minute": optional(TEXT),
    "closes_at": optional(WHOLE),
    "per_hour": optional(WHOLE),
    "answer_from": optional(DAY),
    "delete_on": TEXT,
    "removed_on": optional(DAY),
}
LINK_COUNTS = {"links_made": WHOLE, "tickets_given": WHOLE, "reports": WHOLE}
_VERSION = {"slug": TEXT, "version": COUNT}
STATE = shape(**_VERSION, **_LIFE)
PUBLICATION = shape(
    **_VERSION,
    **_LIFE,
    fingerprint=TEXT,
    test=BOOLEAN,
    total_epsilon=TEXT,
    level=LEVEL,
    created=BOOLEAN,
    wiped=BOOLEAN,
)
SURVEY = shape(
    **_VERSION,
    **_LIFE,
    title=TEXT,
    fingerprint=TEXT,
    total_epsilon=TEXT,
    level=LEVEL,
    reports=WHOLE,
    links=shape(answer=TEXT, results=TEXT, estimates=TEXT),
)
CLOSING = shape(
    **_VERSION,
    state=one_of(State),
    reports=WHOLE,
    digest=TEXT,
    log_anchor=TEXT,
    compacted=BOOLEAN,
)
_DELETED = shape(**_VERSION, test=BOOLEAN, reports=WHOLE, delete_on=TEXT)
DELETION = shape(dry_run=BOOLEAN, purged=many(_DELETED), removed=many(_DELETED), compacted=BOOLEAN)
CLOCK = shape(now=MOMENT, last_hour=MOMENT, trust=one_of(Trust))
MEMBER = shape(slug=TEXT, name=TEXT, role=one_of(Role))
KEY = shape(id=WHOLE, label=TEXT, scope=one_of(Scope), created=DAY, is_revoked=BOOLEAN)
ENTRY = shape(
    number=WHOLE,
    moment=DAY_OR_MOMENT,
    actor=TEXT,
    action=TEXT,
    slug=TEXT,
    details={"type": "object"},
)
MANUSCRIPT = shape(
    id=TEXT,
    slug=optional(TEXT),
    draft={"type": "object"},
    revision=WHOLE,
    updated=MOMENT,
    author=TEXT,
)
DRAFT: Schema = {"$ref": "#/components/schemas/SurveyFile"}
PROBLEM = shape(severity=TEXT, code=TEXT, place=TEXT, field=TEXT, message=TEXT)
PROBLEMS = shape(
    file=TEXT,
    errors=WHOLE,
    warnings=WHOLE,
    left_out=WHOLE,
    changed=WHOLE,
    problems=many(PROBLEM),
)
_TEXTS = ("question", "group", "quantity", "label", "flag", "method", "epsilon", "mechanism")
_WHOLES = ("option", "n", "version", "asked", "reported_count")


def _column(name: str) -> Schema:
    """Return the schema of a cell of the table of estimates; cells may be empty."""
    return optional(TEXT if name in _TEXTS else WHOLE if name in _WHOLES else _NUMBER)


ESTIMATES = shape(
    survey=TEXT,
    title=TEXT,
    version=COUNT,
    fingerprint=TEXT,
    total_epsilon=TEXT,
    state=one_of(State),
    group=optional(TEXT),
    n=WHOLE,
    groups={"type": "object", "additionalProperties": WHOLE},
    factors={
        "type": "object",
        "additionalProperties": {"type": "object", "additionalProperties": WHOLE},
    },
    strays_held_back=BOOLEAN,
    final=BOOLEAN,
    sealed=BOOLEAN,
    tickets=optional(shape(**LINK_COUNTS)),
    next_n=optional(WHOLE),
    hidden_below=WHOLE,
    confidence=_NUMBER,
    readers=optional(shape(epsilon=_NUMBER, delta=_NUMBER, n=WHOLE)),
    estimates=many({"type": "object", "properties": {name: _column(name) for name in COLUMNS}}),
    leaders=many(shape(question=TEXT, best=many(TEXT), confidence={"type": "number"})),
    forging=many({"type": "object"}),
    draws=many({"type": "object"}),
)
