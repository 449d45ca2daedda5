"""The short road for hand-ins gives what the usual road through Flask gives, byte for byte."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.core.report import Report
from client.core.survey import MAX_REPORT_BYTES, Survey
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.web.services import Services
from tests.support.live import stored
from tests.support.publishing import publish_draft, try_draft
from tests.support.roads import (
    ENDS,
    HOSTS,
    ODD_HEADERS,
    SLUGS,
    Answer,
    Environ,
    Roads,
    path_of,
    request,
    two_roads,
)


def body_of(roads: Roads, slug: str = "habits", **randomized: Any) -> bytes:
    values = {"smokes": 0, "drinks": 0} | randomized
    return Report(roads.survey(slug).fingerprint, values).body


def plain(roads: Roads, body: bytes, **changes: Any) -> Environ:
    """A hand-in with a ticket of its own, and some changes."""
    return request(roads.ticket(), body, **changes)


@pytest.fixture
def roads(folder: DataFolder, draft: dict[str, Any]) -> Iterator[Roads]:
    def publish(services: Services) -> dict[str, Survey]:
        made = (
            publish_draft(services, draft),
            publish_draft(services, {**draft, "slug": "closed"}),
            publish_draft(services, {**draft, "slug": "invited", "access": "invited"}),
            try_draft(services, {**draft, "slug": "tried"}),
        )
        ending.close(services.database, "closed")
        return {each.published.survey.slug: each.published.survey for each in made}

    with two_roads(folder, publish) as running:
        yield running


@st.composite
def requests(draw: st.DrawFn) -> dict[str, Any]:
    """Draw what is odd about a request; most of it is as usual."""
    odd = draw(st.sets(st.sampled_from(sorted(ODDITIES)), max_size=3))
    return {name: draw(ODDITIES[name]) for name in sorted(odd)}


ODDITIES: dict[str, st.SearchStrategy[Any]] = {
    **{name: st.sampled_from(values) for name, values in ODD_HEADERS.items()},
    "HTTP_CANDOR_TICKET": st.sampled_from([*ODD_HEADERS["HTTP_CANDOR_TICKET"], "used", "used"]),
    "shelf": st.sampled_from(["surveys", "drafts", "Surveys", "", "other"]),
    "slug": st.sampled_from(["habits", "habits", "invited", *SLUGS]),
    "end": st.sampled_from(ENDS),
    "prefix": st.sampled_from(["/", "/workbench", "/s"]),
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
    "again": st.sampled_from(["the same", "another report"]),
}


def ask_oddly(roads: Roads, odd: dict[str, Any], used: str) -> list[Answer]:
    """Send a request with its oddities, and perhaps its ticket again."""
    slug = odd.get("slug", "habits")
    body = odd.get("spoil", lambda body: body)(body_of(roads, slug, **odd.get("randomized", {})))
    headers = {name: value for name, value in odd.items() if name.isupper() or "." in name}
    if headers.get("HTTP_CANDOR_TICKET") == "used":
        headers["HTTP_CANDOR_TICKET"] = used
    shelf = odd.get("shelf", "drafts" if slug == "tried" else "surveys")
    path = path_of(slug, shelf, odd.get("prefix", ""), odd.get("end", ""))
    environ = request(roads.ticket(slug), body, **{"PATH_INFO": path, **headers})
    answers = [roads.ask(environ, body)]
    if "again" in odd:
        other = body_of(roads, slug, drinks=1) if odd["again"] == "another report" else body
        length = {} if "CONTENT_LENGTH" in headers else {"CONTENT_LENGTH": str(len(other))}
        answers.append(roads.ask({**environ, **length}, other))
    return answers


def test_any_request_gets_the_same_answer_on_all_roads_and_leaves_the_same_rows(
    roads: Roads,
) -> None:
    used, body = roads.ticket(), body_of(roads)
    roads.ask(plain(roads, body, HTTP_CANDOR_TICKET=used), body)
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


def test_any_host_gets_the_same_answer_on_all_roads_with_and_without_an_origin(
    roads: Roads,
) -> None:
    """Flask refuses some hosts before it looks at anything else."""
    body = body_of(roads)
    for host in HOSTS:
        for origin in (None, f"https://{host}"):
            roads.ask(plain(roads, body, HTTP_HOST=host, HTTP_ORIGIN=origin), body)


def test_the_requests_of_browsers_and_of_terminals_take_the_short_road(roads: Roads) -> None:
    body = body_of(roads)
    behind_proxy = {"wsgi.url_scheme": "https", "HTTP_X_FORWARDED_FOR": "192.0.2.1"}
    terminal = {"HTTP_ORIGIN": None, "HTTP_SEC_FETCH_SITE": None, "HTTP_HOST": "127.0.0.1:8000"}
    for changes in ({}, behind_proxy, terminal):
        assert roads.takes_short(plain(roads, body, **changes), body)
    assert len(stored(roads.folders[0])["reports"]) == 3


def test_anything_unusual_goes_the_usual_road(roads: Roads) -> None:
    body = body_of(roads)
    for name, value in {
        "REQUEST_METHOD": "PUT",
        "QUERY_STRING": "x",
        "SCRIPT_NAME": "/below",
        "CONTENT_TYPE": "application/json; charset=utf-8",
        "CONTENT_LENGTH": str(MAX_REPORT_BYTES + 1),
        "HTTP_TRANSFER_ENCODING": "chunked",
        "HTTP_COOKIE": "session=x",
        "HTTP_ORIGIN": "https://evil.example",
        "HTTP_SEC_FETCH_SITE": "cross-site",
        "HTTP_HOST": "[::1]",
        "PATH_INFO": "/api/surveys/habits/reports/",
        "wsgi.input_terminated": None,
    }.items():
        assert not roads.takes_short(plain(roads, body, **{name: value}), body), name


def test_a_failure_is_answered_and_logged_by_the_usual_road(
    roads: Roads, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = "quotes a body"

    def fail(*_: object) -> None:
        raise ZeroDivisionError(message)

    monkeypatch.setattr("server.lifecycle.hand_in.store_ballot", fail)
    body = body_of(roads)
    status, _, content = roads.ask(plain(roads, body), body)
    assert status.startswith("500")
    assert b"failed" in content
    assert "surveys_devices.report failed with ZeroDivisionError" in caplog.text
    assert message not in caplog.text


def test_a_server_that_stops_says_when_to_come_again(roads: Roads) -> None:
    for services in roads.services:
        services.database.close()
    body = body_of(roads)
    status, headers, _ = roads.ask(plain(roads, body), body)
    assert status == "503 SERVICE UNAVAILABLE"
    assert dict(headers)["Retry-After"] == "2"
