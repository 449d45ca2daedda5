"""The short road for hand-ins gives what the usual road through Flask gives, byte for byte."""

import io
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.core.primitives.words import secure_hex
from client.core.report import Report
from client.core.survey import MAX_REPORT_BYTES, Survey
from server.app import create_app
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.respondents.lane import ReportLane
from server.serving import running_services
from server.surveys import tickets
from server.web.services import Services
from tests.support.live import stored
from tests.support.publishing import publish_draft, try_draft

HOST = "survey.example.org"
Environ = dict[str, Any]
Answer = tuple[str, list[tuple[str, str]], bytes]


@dataclass
class Roads:
    """Two servers with the same history: one has the short road, the other only the usual one."""

    short: ReportLane
    usual: ReportLane
    services: tuple[Services, Services]
    folders: tuple[DataFolder, DataFolder]
    surveys: dict[str, Survey]
    passed_on: int = 0

    def ask(self, environ: Environ, body: bytes) -> Answer:
        """Ask both; return their common answer."""
        by_lane = answer(self.short, environ, body)
        by_flask = answer(self.usual.usual, environ, body)
        assert by_lane == by_flask
        return by_lane

    def takes_short(self, environ: Environ, body: bytes) -> bool:
        """Ask both; tell whether the short road answered by itself."""
        before = self.passed_on
        self.ask(environ, body)
        return self.passed_on == before

    def survey(self, slug: str) -> Survey:
        return self.surveys.get(slug, self.surveys["habits"])

    def ticket(self, slug: str = "habits") -> str:
        return tickets.issue(self.services[0].secret, self.survey(slug).fingerprint)

    def body(self, slug: str = "habits", **randomized: Any) -> bytes:
        values = {"smokes": 0, "drinks": 0} | randomized
        return Report(self.survey(slug).fingerprint, values).body


def answer(application: Any, environ: Environ, body: bytes) -> Answer:
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


def request(roads: Roads, body: bytes, **changes: Any) -> Environ:
    """A hand-in as a browser sends it and as waitress passes it on; None takes a header away."""
    plain = {
        "REQUEST_METHOD": "PUT",
        "SCRIPT_NAME": "",
        "PATH_INFO": f"/api/surveys/habits/reports/{secure_hex(4)}",
        "QUERY_STRING": "",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "HTTP_HOST": HOST,
        "HTTP_ORIGIN": f"https://{HOST}",
        "HTTP_SEC_FETCH_SITE": "same-origin",
        "HTTP_CANDOR_TICKET": roads.ticket(),
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
def two_roads(folder: DataFolder, draft: dict[str, Any]) -> Iterator[Roads]:
    with running_services(folder) as services:
        made = (
            publish_draft(services, draft),
            publish_draft(services, {**draft, "slug": "closed"}),
            try_draft(services, {**draft, "slug": "tried"}),
        )
        ending.close(services.database, "closed")
    surveys = {each.published.survey.slug: each.published.survey for each in made}
    other = DataFolder(folder.path.with_name("other"))
    shutil.copytree(folder.path, other.path)
    with (
        running_services(folder, housekeeping=False) as first,
        running_services(other, housekeeping=False) as second,
    ):
        short, usual = create_app(first).wsgi_app, create_app(second).wsgi_app
        assert isinstance(short, ReportLane)
        assert isinstance(usual, ReportLane)
        roads = Roads(short, usual, (first, second), (folder, other), surveys)
        short.usual = counting(roads, short.usual)
        yield roads
        assert stored(folder) == stored(other)
        assert stored(folder, test=True) == stored(other, test=True)


def counting(roads: Roads, usual: Any) -> Any:
    def pass_on(environ: Environ, start_response: Any) -> Any:
        roads.passed_on += 1
        return usual(environ, start_response)

    return pass_on


@pytest.fixture
def roads(folder: DataFolder, draft: dict[str, Any]) -> Iterator[Roads]:
    with two_roads(folder, draft) as running:
        yield running


ID = "0123456789abcdef0123456789abcdef"
SLUGS = ("habits", "habits", "habits", "closed", "tried", "nowhere", "Habits", "hab%69ts", "")
IDS = (ID, ID[::-1], "0" * 31, "0" * 33, "G" * 32, ID.upper(), f"{ID}\n", f"{ID}/", "\xe9" * 32, "")
HOSTS = (
    *(HOST, f"{HOST}:80", f"{HOST}:443", f"{HOST}:8000", HOST.upper(), "localhost", "127.0.0.1:1"),
    *("[::1]:8000", "a..b", "x" * 64, "x" * 64 + ".org", f"{HOST}:", f"{HOST}:http", "xn--a", "-"),
    *(f".{HOST}", f"{HOST}.", "a b", "a/b", "user@host", "\xe9.org", "", None, f"{HOST}:99999"),
    *(
        f"{HOST}:0",
        f"{HOST}:00080",
        f"{HOST}:59999",
        f"{HOST}:65535",
        f"{HOST}:65536",
        "a.b.c.d.e.f",
    ),
)
ORIGINS = (
    *(None, f"https://{HOST}", f"http://{HOST}", f"https://{HOST}:443", f"https://{HOST}:8000"),
    *(f"https://{HOST.upper()}", "https://evil.example", "null", "", "http://[broken", "localhost"),
)
TYPES = (
    *(
        "application/json",
        "application/json",
        "application/json",
        "application/json; charset=utf-8",
    ),
    *("APPLICATION/JSON", " application/json", "application/json;", "text/plain", "", None),
)


@st.composite
def requests(draw: st.DrawFn) -> dict[str, Any]:
    """Draw what is odd about a request; most of it is as usual."""
    odd = draw(st.sets(st.sampled_from(sorted(ODDITIES)), max_size=3))
    return {name: draw(ODDITIES[name]) for name in sorted(odd)}


ODDITIES: dict[str, st.SearchStrategy[Any]] = {
    "method": st.sampled_from(["PUT", "POST", "GET", "HEAD", "OPTIONS", "DELETE", "put", "PATCH"]),
    "shelf": st.sampled_from(["surveys", "drafts", "Surveys", "", "other"]),
    "slug": st.sampled_from(SLUGS),
    "id": st.sampled_from(IDS),
    "prefix": st.sampled_from(["/", "/workbench", "/s"]),
    "HTTP_HOST": st.sampled_from(HOSTS),
    "HTTP_ORIGIN": st.sampled_from(ORIGINS),
    "HTTP_SEC_FETCH_SITE": st.sampled_from([None, "none", "same-site", "cross-site", "", "NONE"]),
    "CONTENT_TYPE": st.sampled_from(TYPES),
    "CONTENT_LENGTH": st.sampled_from(
        [None, "", "0", "1", "007", "-5", "+5", " 5", "5 ", "x", "65537", "9" * 12, "\xb2"]
    ),
    "HTTP_TRANSFER_ENCODING": st.sampled_from(["chunked", "identity", ""]),
    "QUERY_STRING": st.sampled_from(["language=de", "a", "%ff"]),
    "SCRIPT_NAME": st.sampled_from(["/below", "/"]),
    "HTTP_COOKIE": st.sampled_from(["session=x", "a=b; c", ""]),
    "HTTP_ACCEPT": st.sampled_from(["text/html", "application/json", "*/*", ""]),
    "HTTP_ACCEPT_LANGUAGE": st.sampled_from(["de", "ar,en;q=0.1"]),
    "HTTP_X_FORWARDED_HOST": st.just("evil.example"),
    "HTTP_X_HTTP_METHOD_OVERRIDE": st.just("DELETE"),
    "HTTP_CANDOR_TICKET": st.sampled_from(
        [None, "", "x", f"{'0' * 32}.{'0' * 64}", "a" * 5000, "\xe9", "used", "used"]
    ),
    "wsgi.url_scheme": st.sampled_from(["https", "http"]),
    "randomized": st.sampled_from([{"smokes": 1}, {"smokes": 2}, {"gambles": 1}, {"smokes": None}]),
    "spoil": st.sampled_from(
        [
            lambda body: b"",
            lambda body: b"[]",
            lambda body: b"{",
            lambda body: body[:-1],
            lambda body: b"[" * 60_000,
            lambda body: body + b" " * MAX_REPORT_BYTES,
            lambda body: body.ljust(MAX_REPORT_BYTES),
            lambda body: body.replace(b"0", b"0.0"),
            lambda body: body.replace(b"0", b"NaN"),
            lambda body: body.replace(b"smokes", b"\xff"),
            lambda body: body.replace(b"smokes", b"\\ud800"),
            lambda body: body.replace(b"smokes", "schließt<&>\u2028".encode()),
            lambda body: body.decode().encode("utf-16"),
            lambda body: b"\xef\xbb\xbf" + body,
            lambda body: body.replace(b'"fingerprint":"', b'"fingerprint":"0'),
        ]
    ),
    "again": st.booleans(),
}


def ask_oddly(roads: Roads, odd: dict[str, Any], used: str) -> list[Answer]:
    """Send a request with its oddities, and perhaps the same again."""
    slug = odd.get("slug", "habits")
    body = odd.get("spoil", lambda body: body)(roads.body(slug, **odd.get("randomized", {})))
    headers = {name: value for name, value in odd.items() if name.isupper() or "." in name}
    if headers.get("HTTP_CANDOR_TICKET") == "used":
        headers["HTTP_CANDOR_TICKET"] = used
    shelf = odd.get("shelf", "drafts" if slug == "tried" else "surveys")
    path = f"{odd.get('prefix', '')}/api/{shelf}/{slug}/reports/{odd.get('id', secure_hex(4))}"
    changes = {
        "PATH_INFO": path,
        "REQUEST_METHOD": odd.get("method", "PUT"),
        "HTTP_CANDOR_TICKET": roads.ticket(slug),
        **headers,
    }
    environ = request(roads, body, **changes)
    return [roads.ask(environ, body) for _ in range(1 + odd.get("again", False))]


def test_any_request_gets_the_same_answer_on_both_roads_and_leaves_the_same_rows(
    roads: Roads,
) -> None:
    used, body = roads.ticket(), roads.body()
    roads.ask(request(roads, body, HTTP_CANDOR_TICKET=used), body)
    statuses: set[str] = set()

    @settings(max_examples=600, database=None)
    @given(odd=requests())
    def compare(odd: dict[str, Any]) -> None:
        statuses.update(status[:3] for status, *_ in ask_oddly(roads, odd, used))

    compare()
    # What the road refuses by itself, and what Flask refuses, was met.
    expected = {"200", "201", "400", "403", "404", "405", "409", "410", "413", "415"}
    assert expected <= statuses
    assert not {status for status in statuses if status[0] == "5"}


def test_any_host_gets_the_same_answer_on_both_roads_with_and_without_an_origin(
    roads: Roads,
) -> None:
    """Flask refuses some hosts before it looks at anything else."""
    body = roads.body()
    for host in HOSTS:
        for origin in (None, f"https://{host}"):
            roads.ask(request(roads, body, HTTP_HOST=host, HTTP_ORIGIN=origin), body)


def test_the_requests_of_browsers_and_of_terminals_take_the_short_road(roads: Roads) -> None:
    body = roads.body()
    behind_proxy = {"wsgi.url_scheme": "https", "HTTP_X_FORWARDED_FOR": "192.0.2.1"}
    terminal = {"HTTP_ORIGIN": None, "HTTP_SEC_FETCH_SITE": None, "HTTP_HOST": "127.0.0.1:8000"}
    for changes in ({}, behind_proxy, terminal):
        assert roads.takes_short(request(roads, body, **changes), body)
    assert len(stored(roads.folders[0])["reports"]) == 3


def test_anything_unusual_goes_the_usual_road(roads: Roads) -> None:
    body = roads.body()
    for name, value in {
        "REQUEST_METHOD": "POST",
        "QUERY_STRING": "x",
        "SCRIPT_NAME": "/below",
        "CONTENT_TYPE": "application/json; charset=utf-8",
        "CONTENT_LENGTH": str(MAX_REPORT_BYTES + 1),
        "HTTP_TRANSFER_ENCODING": "chunked",
        "HTTP_COOKIE": "session=x",
        "HTTP_ORIGIN": "https://evil.example",
        "HTTP_SEC_FETCH_SITE": "cross-site",
        "HTTP_HOST": "[::1]",
        "PATH_INFO": f"/api/surveys/habits/reports/{ID.upper()}",
        "wsgi.input_terminated": None,
    }.items():
        assert not roads.takes_short(request(roads, body, **{name: value}), body), name


def test_a_failure_is_answered_and_logged_by_the_usual_road(
    roads: Roads, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = "quotes a body"

    def fail(*_: object) -> None:
        raise ZeroDivisionError(message)

    monkeypatch.setattr("server.lifecycle.hand_in.store_ballot", fail)
    body = roads.body()
    status, _, content = roads.ask(request(roads, body), body)
    assert status.startswith("500")
    assert b"failed" in content
    assert "surveys_devices.report failed with ZeroDivisionError" in caplog.text
    assert message not in caplog.text


def test_a_server_that_stops_says_when_to_come_again(roads: Roads) -> None:
    for services in roads.services:
        services.database.close()
    body = roads.body()
    status, headers, _ = roads.ask(request(roads, body), body)
    assert status == "503 SERVICE UNAVAILABLE"
    assert dict(headers)["Retry-After"] == "2"
