"""A short road for the one request that comes in crowds: a report that is handed in.

Finding the view, and making objects for request and response, costs more than checking and storing
a report. Here the few headers that matter are looked at directly. Whatever is not plainly such a
request goes the usual road, through Flask: other methods, paths, types and lengths, queries,
cookies, foreign origins, odd hosts. So nothing is refused here by a rule of its own, and both roads
give the same status, headers and body.

On the server the loop does not even wait for the commit in a thread: it calls `start`, which
neither waits nor reads a file, and `reply_to` once the report is on disk.
"""

import json
import re
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from io import BytesIO
from typing import Any

from werkzeug.http import HTTP_STATUS_CODES

from client.browser.headers import HEADERS
from client.core.primitives.refusal import Refusal
from client.core.survey import MAX_REPORT_BYTES
from server.lifecycle.hand_in import hand_in, start_hand_in
from server.web.errors import error_body, retry_header, status_of
from server.web.requests import is_own_origin
from server.web.services import Services

Environ = dict[str, Any]
Application = Callable[[Environ, Any], Iterable[bytes]]
# Status line, headers and body.
Reply = tuple[str, list[tuple[str, str]], bytes]

_PATH = re.compile(r"/api/(surveys|drafts)/([a-z0-9-]{1,63})/reports")
# Only hosts, and ports below 60000, that Flask takes for certain.
_HOST = re.compile(
    r"(?:[a-z0-9-]{1,50}\.){0,4}[a-z0-9-]{1,50}(?::[1-9][0-9]{0,3}|:[1-5][0-9]{4})?", re.IGNORECASE
)
_LENGTH = re.compile(r"[1-9][0-9]{0,8}")
_STORED = {"status": "stored"}
# A longer report is checked by a thread: the loop has others to serve.
MOST_AT_ONCE_BYTES = 2**13
# With one of these, a request is not for the short road.
_UNUSUAL = ("HTTP_COOKIE", "HTTP_TRANSFER_ENCODING", "QUERY_STRING", "SCRIPT_NAME")


class ReportLane:
    """Answers plain hand-ins itself, and passes everything else on to the usual application."""

    def __init__(self, usual: Application, services: Services) -> None:
        self.usual = usual
        self._services = services

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        place = _PATH.fullmatch(environ["PATH_INFO"])
        if place is None or not _is_plain(environ):
            return self.usual(environ, start_response)
        body = environ["wsgi.input"].read(MAX_REPORT_BYTES + 1)
        shelf, slug = place.groups()
        ticket = environ.get("HTTP_CANDOR_TICKET")
        if len(body) != int(environ["CONTENT_LENGTH"]):
            return self._pass_on(environ, start_response, body)
        try:
            new = hand_in(self._services, slug, body, ticket, shelf == "drafts")
        except Refusal as refusal:
            return _answer(refused(refusal), start_response)
        except Exception:
            # The usual road logs what fails. A report that was stored all the same is a repeat.
            return self._pass_on(environ, start_response, body)
        return _answer(_stored(new), start_response)

    def is_for(self, path: str) -> bool:
        """Tell whether reports are handed in at a path."""
        return _PATH.fullmatch(path) is not None

    def start(self, environ: Environ) -> "Future[bool] | None":
        """Begin a plain hand-in, without waiting; None if it takes more than checking it."""
        place = _PATH.fullmatch(environ["PATH_INFO"])
        if place is None or not _is_plain(environ):
            return None
        stream, length = environ["wsgi.input"], int(environ["CONTENT_LENGTH"])
        if length > MOST_AT_ONCE_BYTES:
            return None
        body = stream.read(length + 1)
        # For a thread that may have to read it again.
        stream.seek(0)
        if len(body) != length:
            return None
        shelf, slug = place.groups()
        ticket = environ.get("HTTP_CANDOR_TICKET")
        try:
            return start_hand_in(self._services, slug, body, ticket, shelf == "drafts")
        except Refusal as refusal:
            outcome: Future[bool] = Future()
            outcome.set_exception(refusal)
            return outcome

    def _pass_on(self, environ: Environ, start_response: Any, body: bytes) -> Iterable[bytes]:
        """Pass on a request whose body was already read."""
        return self.usual({**environ, "wsgi.input": BytesIO(body)}, start_response)


def _is_plain(environ: Environ) -> bool:
    """Tell whether this is a hand-in as our own clients send it."""
    length, host = environ.get("CONTENT_LENGTH", ""), environ.get("HTTP_HOST", "")
    return (
        environ["REQUEST_METHOD"] == "POST"
        # Otherwise reading on might wait for bytes that never come.
        and bool(environ.get("wsgi.input_terminated"))
        and environ.get("CONTENT_TYPE") == "application/json"
        and _LENGTH.fullmatch(length) is not None
        and int(length) <= MAX_REPORT_BYTES
        and _HOST.fullmatch(host) is not None
        and not any(environ.get(name) for name in _UNUSUAL)
        and is_own_origin(environ.get("HTTP_SEC_FETCH_SITE"), environ.get("HTTP_ORIGIN"), host)
    )


def reply_to(outcome: "Future[bool]") -> Reply | None:
    """Return the reply to a hand-in that is done; None if the usual road has to log a fault."""
    error = outcome.exception()
    if error is None:
        return _stored(outcome.result())
    return refused(error) if isinstance(error, Refusal) else None


def _stored(new: bool) -> Reply:
    return _reply(201 if new else 200, _STORED, {})


def refused(refusal: Refusal) -> Reply:
    """Return the reply to a request that is refused."""
    shape = error_body(refusal.code, refusal.message, refusal.field)
    return _reply(status_of(refusal), shape, retry_header(refusal))


def _reply(status: int, shape: dict[str, Any], headers: dict[str, str]) -> Reply:
    body = json.dumps(shape, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    plain = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
    line = f"{status} {HTTP_STATUS_CODES[status].upper()}"
    return line, [*plain, *headers.items(), *HEADERS.items()], body


def _answer(reply: Reply, start_response: Any) -> list[bytes]:
    line, headers, body = reply
    start_response(line, headers)
    return [body]
