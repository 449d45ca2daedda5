"""Reading a request of the JSON interface: bodies, flags, pages."""

from collections.abc import Sequence
from typing import Any, TypeVar

from flask import request

from client.core.document import MAX_DEPTH, MAX_DOCUMENT_BYTES
from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal, require
from server.guards import json_body, whole_number

T = TypeVar("T")

MOST_PER_PAGE = 100
_FLAGS = {"true": True, "false": False}


def mapping(what: str) -> dict[str, Any]:
    """The JSON object in the body, strictly read."""
    body = json_body(request, MAX_DOCUMENT_BYTES)
    value = canonical.parse(body, MAX_DOCUMENT_BYTES, what, MAX_DEPTH)
    if not isinstance(value, dict):
        raise Refusal("not_a_mapping", f"a {what} must be a JSON object", what)
    # Refused here if it cannot be written again: then it can be neither stored nor hashed.
    canonical.canonical(value)
    return value


def draft() -> dict[str, Any]:
    """The survey file in the body. Its scalars are kept as they are written, as in every file."""
    written: dict[str, Any] = _as_written(mapping("draft"))
    return written


def text_field(body: dict[str, Any], name: str) -> str:
    """A field of the body that must be text."""
    value = body.get(name)
    if not isinstance(value, str):
        raise Refusal("bad_field", f"{name} must be text, got {value!r:.40}", name)
    return value


def flag(name: str) -> bool:
    """`?name=true`; absent means no."""
    text = request.args.get(name, "false").lower()
    require(text in _FLAGS, "bad_flag", f"{name} must be true or false, got {text[:40]!r}", name)
    return _FLAGS[text]


def page_of(items: Sequence[T]) -> tuple[Sequence[T], dict[str, str]]:
    """The page that is asked for, and the header that links to its neighbours."""
    page, size = _counted("page", 1), _counted("per_page", MOST_PER_PAGE)
    require(
        size <= MOST_PER_PAGE,
        "bad_per_page",
        f"per_page must be at most {MOST_PER_PAGE}, got {size}",
        "per_page",
    )
    last = max(1, -(-len(items) // size))
    pages = {"first": 1, "prev": page - 1, "next": page + 1, "last": last}
    links = [
        f'<{request.path}?page={there}&per_page={size}>; rel="{name}"'
        for name, there in pages.items()
        if 1 <= there <= last
    ]
    return items[(page - 1) * size : page * size], {"Link": ", ".join(links)}


def _counted(name: str, usual: int) -> int:
    """A number of the query from 1 on."""
    asked = whole_number(request, name)
    require(asked != 0, f"bad_{name}", f"{name} must be 1 or more, got 0", name)
    return asked or usual


def _as_written(value: Any) -> Any:
    match value:
        case dict():
            return {name: _as_written(item) for name, item in value.items()}
        case list():
            return [_as_written(item) for item in value]
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case _:
            return value
