"""Read a request: where it comes from, its size and type, its body, flags and numbers."""

from collections.abc import Sequence
from typing import Any, TypeVar

from flask import Request, current_app, request

from client.core.document import MAX_DEPTH, MAX_DOCUMENT_BYTES
from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal, require

_DEFAULT_PORTS = (":80", ":443")
T = TypeVar("T")
MOST_PER_PAGE = 100
_FLAGS = {"true": True, "false": False}


def require_own_origin(request: Request) -> None:
    """Raise if a browser sends this for another site."""
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    require(is_own_origin(site, origin, request.host), "foreign_origin")


def is_own_origin(site: str | None, origin: str | None, host: str) -> bool:
    """Tell whether a request comes from our own page, by its Sec-Fetch-Site and its Origin.

    Terminal clients send neither.
    """
    # Hosts, not schemes: a proxy in front may speak TLS for us.
    own = origin is None or _host(origin.partition("://")[2]) == _host(host)
    return own and site in (None, "same-origin", "none")


def public_root() -> str:
    """Return the address for links that people pass on: the operator's, or that of this request."""
    return current_app.config["PUBLIC_URL"] or request.url_root.rstrip("/")


def wants_json(request: Request) -> bool:
    """Tell whether a program asks; people get pages."""
    # The preview at the workbench has addresses of the same kind below its own.
    by_address = "/api/" in request.path or request.path.endswith(".json")
    accepted = request.accept_mimetypes.best_match(["text/html", "application/json"])
    return by_address or accepted == "application/json"


def json_body(request: Request, limit: int) -> bytes:
    """Return the body of a JSON request; check size and type before reading it."""
    require((request.content_length or 0) <= limit, "too_large.body", most=limit)
    if request.mimetype != "application/json":
        raise Refusal("wrong_content_type", "Content-Type", type=request.mimetype)
    # One more than allowed, in case the length was not announced.
    body = request.stream.read(limit + 1)
    require(len(body) <= limit, "too_large.body", most=limit)
    return body


def whole_number(request: Request, name: str) -> int | None:
    """Return a number of the query, such as ?version=2; None if it is absent."""
    text = request.args.get(name)
    return None if text is None else whole(text, name)


def whole(text: str, name: str) -> int:
    """Parse a whole number, digits only."""
    require(
        text.isascii() and text.isdigit() and len(text) < 12,
        f"bad_{name}.whole_number",
        name,
        text=text,
    )
    return int(text)


def _host(netloc: str) -> str:
    host = netloc.lower()
    for port in _DEFAULT_PORTS:
        host = host.removesuffix(port)
    return host


def json_object(what: str) -> dict[str, Any]:
    """Return the JSON object in the body, strictly parsed."""
    body = json_body(request, MAX_DOCUMENT_BYTES)
    value = canonical.parse(body, MAX_DOCUMENT_BYTES, what, MAX_DEPTH)
    if not isinstance(value, dict):
        raise Refusal("not_a_mapping.body", what)
    # Refused here if it cannot be written again: then it can be neither stored nor hashed.
    canonical.canonical(value)
    return value


def posted_draft() -> dict[str, Any]:
    """Return the survey file in the body, its scalars as text, as in every file."""
    written: dict[str, Any] = _as_written(json_object("draft"))
    return written


def text_field(body: dict[str, Any], name: str) -> str:
    """Return a field of the body; raise if it is not text."""
    value = body.get(name)
    if not isinstance(value, str):
        raise Refusal("bad_field", name, value=value)
    return value


def flag(name: str) -> bool:
    """Return a flag of the query, such as ?name=true; False if it is absent."""
    text = request.args.get(name, "false").lower()
    require(text in _FLAGS, "bad_flag", name, text=text)
    return _FLAGS[text]


def page_of(items: Sequence[T]) -> tuple[Sequence[T], dict[str, str]]:
    """Return the requested page of a list, and the header that links to its neighbours."""
    page, size = _counted("page", 1), _counted("per_page", MOST_PER_PAGE)
    require(size <= MOST_PER_PAGE, "bad_per_page", "per_page", most=MOST_PER_PAGE, per_page=size)
    last = max(1, -(-len(items) // size))
    pages = {"first": 1, "prev": page - 1, "next": page + 1, "last": last}
    links = [
        f'<{request.path}?page={there}&per_page={size}>; rel="{name}"'
        for name, there in pages.items()
        if 1 <= there <= last
    ]
    return items[(page - 1) * size : page * size], {"Link": ", ".join(links)}


def _counted(name: str, usual: int) -> int:
    """Return a number of the query that must be at least 1."""
    asked = whole_number(request, name)
    require(asked != 0, f"bad_{name}.from_one", name)
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
