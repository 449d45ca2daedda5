"""Servers with the same history, and requests that all of them must answer alike.

Two take the short road for hand-ins: one waits for the commit in a thread, the other does not wait,
as the server's loop does. The third has only the usual road through Flask. What a hand-in looks
like to a server, and what can be odd about it, is here.
"""

import io
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from client.core.survey import Survey
from server.app import create_app
from server.data_folder import DataFolder
from server.respondents.lane import ReportLane, reply_to
from server.serving import running_services
from server.surveys import tickets
from server.web.services import Services
from tests.support.live import stored
from tests.support.ticket_keys import POOL, ticket_for

HOST = "survey.example.org"
Environ = dict[str, Any]
Answer = tuple[str, list[tuple[str, str]], bytes]

SLUGS = ("closed", "tried", "nowhere", "Habits", "hab%69ts", "", "habits ", "..", "a" * 64)
# What may stand at the end of an address, where nothing should.
ENDS = ("/", f"/{'0' * 32}", "\n", "s", "%0A", "\xe9")
HOSTS = (
    *(HOST, f"{HOST}:80", f"{HOST}:443", f"{HOST}:8000", HOST.upper(), "localhost", "127.0.0.1:1"),
    *("[::1]:8000", "a..b", "x" * 64, "x" * 64 + ".org", f"{HOST}:", f"{HOST}:http", "xn--a", "-"),
    *(f".{HOST}", f"{HOST}.", "a b", "a/b", "user@host", "\xe9.org", "", None, f"{HOST}:99999"),
    *(f"{HOST}:0", f"{HOST}:00080", f"{HOST}:59999", f"{HOST}:65535", f"{HOST}:65536"),
    "a.b.c.d.e.f",
)
ORIGINS = (
    *(None, f"https://{HOST}", f"http://{HOST}", f"https://{HOST}:443", f"https://{HOST}:8000"),
    *(f"https://{HOST.upper()}", "https://evil.example", "null", "", "http://[broken", "localhost"),
)
TYPES = (
    *("application/json", "application/json", "application/json"),
    *("application/json; charset=utf-8", "APPLICATION/JSON", " application/json"),
    *("application/json;", "text/plain", "", None),
)
LENGTHS = (None, "", "0", "1", "007", "-5", "+5", " 5", "5 ", "x", "65537", "9" * 12, "\xb2")
# What can be odd about the headers of a hand-in; None takes a header away.
ODD_HEADERS: dict[str, tuple[Any, ...]] = {
    "REQUEST_METHOD": ("POST", "PUT", "GET", "HEAD", "OPTIONS", "DELETE", "post", "PATCH"),
    "HTTP_HOST": HOSTS,
    "HTTP_ORIGIN": ORIGINS,
    "HTTP_SEC_FETCH_SITE": (None, "none", "same-site", "cross-site", "", "NONE"),
    "CONTENT_TYPE": TYPES,
    "CONTENT_LENGTH": LENGTHS,
    "HTTP_TRANSFER_ENCODING": ("chunked", "identity", ""),
    "QUERY_STRING": ("language=de", "a", "%ff"),
    "SCRIPT_NAME": ("/below", "/"),
    "HTTP_COOKIE": ("session=x", "a=b; c", ""),
    "HTTP_ACCEPT": ("text/html", "application/json", "*/*", ""),
    "HTTP_ACCEPT_LANGUAGE": ("de", "ar,en;q=0.1"),
    "HTTP_X_FORWARDED_HOST": ("evil.example",),
    "HTTP_X_HTTP_METHOD_OVERRIDE": ("DELETE",),
    "HTTP_CANDOR_TICKET": (None, "", "x", f"{'0' * 64}.{'0' * 64}", "a" * 5000, "\xe9"),
    "wsgi.url_scheme": ("https", "http"),
}


@dataclass
class Roads:
    """Servers with the same history: with the short road, without waiting, with the usual road."""

    short: ReportLane
    at_once: ReportLane
    usual: ReportLane
    services: tuple[Services, ...]
    folders: tuple[DataFolder, ...]
    surveys: dict[str, Survey]
    passed_on: int = 0

    def ask(self, environ: Environ, body: bytes) -> Answer:
        """Ask all; return their common answer."""
        by_lane = answer(self.short, environ, body)
        by_loop = answer_at_once(self.at_once, environ, body)
        by_flask = answer(self.usual.usual, environ, body)
        assert by_lane == by_flask
        assert by_loop == by_flask
        return by_lane

    def takes_short(self, environ: Environ, body: bytes) -> bool:
        """Ask all; tell whether the short road answered by itself."""
        before = self.passed_on
        self.ask(environ, body)
        return self.passed_on == before

    def survey(self, slug: str) -> Survey:
        return self.surveys.get(slug, self.surveys["habits"])

    def ticket(self, slug: str = "habits", group: str = "") -> str:
        """Return a genuine ticket; the keys of invited surveys are ready ones."""
        survey, secret = self.survey(slug), self.services[0].secret
        if survey.ticket_keys:
            key = next(key for key in POOL if key.public == dict(survey.ticket_keys)[group])
            return ticket_for(survey.fingerprint, group, key)
        return tickets.issue(secret, survey.fingerprint, group)


def answer(application: Any, environ: Environ, body: bytes) -> Answer:
    """Ask a WSGI application; return its status, its headers and its body."""
    started: list[tuple[str, list[tuple[str, str]]]] = []
    inside = {**environ, "wsgi.input": io.BytesIO(body), "wsgi.errors": io.StringIO()}
    parts = application(
        inside, lambda status, headers, error=None: started.append((status, headers))
    )
    content = b"".join(parts)
    if hasattr(parts, "close"):
        parts.close()
    ((status, headers),) = started
    return status, headers, content


def answer_at_once(lane: ReportLane, environ: Environ, body: bytes) -> Answer:
    """Ask as the loop asks: without waiting, and the usual way if that is not possible."""
    inside = {**environ, "wsgi.input": io.BytesIO(body)}
    outcome = lane.start(inside)
    if outcome is not None:
        outcome.exception(timeout=60)
        reply = reply_to(outcome)
        if reply is not None:
            return reply
    # Whoever comes next can read the body again.
    assert inside["wsgi.input"].tell() == 0
    return answer(lane, environ, body)


def path_of(slug: str, shelf: str = "surveys", prefix: str = "", end: str = "") -> str:
    return f"{prefix}/api/{shelf}/{slug}/reports{end}"


def request(ticket: str, body: bytes, **changes: Any) -> Environ:
    """A hand-in as a browser sends it and as waitress passes it on; None takes a header away."""
    plain = {
        "REQUEST_METHOD": "POST",
        "SCRIPT_NAME": "",
        "PATH_INFO": path_of("habits"),
        "QUERY_STRING": "",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "HTTP_HOST": HOST,
        "HTTP_ORIGIN": f"https://{HOST}",
        "HTTP_SEC_FETCH_SITE": "same-origin",
        "HTTP_CANDOR_TICKET": ticket,
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.url_scheme": "http",
        "wsgi.version": (1, 0),
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "wsgi.input_terminated": True,
    }
    return {name: value for name, value in (plain | changes).items() if value is not None}


@contextmanager
def two_roads(
    folder: DataFolder, publish: Callable[[Services], dict[str, Survey]]
) -> Iterator[Roads]:
    """Open servers on copies of a data folder; at the end all must hold the same rows."""
    with running_services(folder) as services:
        surveys = publish(services)
    others = [DataFolder(folder.path.with_name(name)) for name in ("second", "third")]
    for other in others:
        shutil.copytree(folder.path, other.path)
    folders = (folder, *others)
    with ExitStack() as stack:
        running = tuple(
            stack.enter_context(running_services(each, housekeeping=False)) for each in folders
        )
        short, at_once, usual = (create_app(each).wsgi_app for each in running)
        assert isinstance(short, ReportLane)
        assert isinstance(at_once, ReportLane)
        assert isinstance(usual, ReportLane)
        roads = Roads(short, at_once, usual, running, folders, surveys)
        short.usual = _counting(roads, short.usual)
        yield roads
        for other in others:
            assert stored(folder) == stored(other)
            assert stored(folder, test=True) == stored(other, test=True)


def _counting(roads: Roads, usual: Any) -> Any:
    def pass_on(environ: Environ, start_response: Any) -> Any:
        roads.passed_on += 1
        return usual(environ, start_response)

    return pass_on
