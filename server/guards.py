"""Checks on a request: where it comes from, its size and type, the numbers of its query."""

from flask import Request

from client.core.primitives.refusal import Refusal, require

_DEFAULT_PORTS = (":80", ":443")


def require_own_origin(request: Request) -> None:
    """Refuse what a browser sends for another site. Terminal clients name no origin at all."""
    site = request.headers.get("Sec-Fetch-Site", "none")
    origin = request.headers.get("Origin")
    # Hosts, not schemes: a proxy in front may speak TLS for us.
    own = origin is None or _host(origin.partition("://")[2]) == _host(request.host)
    require(
        own and site in ("same-origin", "none"),
        "foreign_origin",
        "reports and tickets are taken from this site's own pages only",
    )


def wants_json(request: Request) -> bool:
    """Whether a program asks; people get pages."""
    # The preview at the workbench has addresses of the same kind below its own.
    by_address = "/api/" in request.path or request.path.endswith(".json")
    accepted = request.accept_mimetypes.best_match(["text/html", "application/json"])
    return by_address or accepted == "application/json"


def json_body(request: Request, limit: int) -> bytes:
    """The body of a JSON request: size first, then type, and only then is anything read."""
    require((request.content_length or 0) <= limit, *_too_large(limit))
    if request.mimetype != "application/json":
        raise Refusal(
            "wrong_content_type",
            f"Content-Type must be application/json, got {request.mimetype[:80]!r}",
            "Content-Type",
        )
    # One more than allowed, in case the length was not announced.
    body = request.stream.read(limit + 1)
    require(len(body) <= limit, *_too_large(limit))
    return body


def whole_number(request: Request, name: str) -> int | None:
    """A number of the query, such as ?version=2; None where it is absent."""
    text = request.args.get(name)
    return None if text is None else whole(text, name)


def whole(text: str, name: str) -> int:
    """The number in a text, digits only."""
    require(
        text.isascii() and text.isdigit() and len(text) < 12,
        f"bad_{name}",
        f"{name} must be a whole number, got {text[:40]!r}",
        name,
    )
    return int(text)


def _too_large(limit: int) -> tuple[str, str]:
    return "body_too_large", f"the body must be at most {limit} bytes"


def _host(netloc: str) -> str:
    host = netloc.lower()
    for port in _DEFAULT_PORTS:
        host = host.removesuffix(port)
    return host
