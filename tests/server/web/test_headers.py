"""Strict headers on every answer of every route, no cookie ever, and a log that names nobody."""

import logging
import re
import socket
from urllib.parse import urlsplit

import pytest
from flask import Flask
from werkzeug.routing import Rule

from client.browser.bundle import integrity, script_file, style
from client.browser.headers import HEADERS
from client.core.tickets.ticket import report_id
from server.app import create_app
from server.lifecycle import ending
from server.web.services import Services
from server.web.urls import in_workbench
from tests.support.live import JSON, Answer, Live

ID = "0123456789abcdef0123456789abcdef"
EXAMPLES = {
    "slug": "habits",
    "id": ID,
    "name": f"{ID}.js",
    "step": "close",
    "researcher": "ana",
    "key": "1",
    "action": "list",
    "question": "smokes",
    "format": "svg",
    "markup": "html",
    "way": "blank",
    "survey": "habits",
    "suffix": "yaml",
    "version": "1",
}
WORKBENCH = {
    "script-src": "'self'",
    "style-src": "'self'",
    "form-action": "'self'",
    "frame-src": "'self'",
}


def assert_strict(answer: Answer) -> None:
    """As for respondents: no form, no cookie, no inline script."""
    directives = policy_of(answer)
    assert directives["form-action"] == "'none'"
    hashed = {directives.pop("script-src"), directives.pop("style-src")}
    assert hashed == {f"'{script_file().integrity}'", f"'{integrity(style().encode())}'"}
    assert set(directives.values()) == {"'none'", "'self'"}
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "Set-Cookie" not in answer.headers
    assert "Cookie" not in answer.headers.get("Vary", "")
    assert_careful(answer)


def assert_fit_for_researchers(answer: Answer) -> None:
    """Forms and files of this site, and a cookie that is sent nowhere else."""
    directives = policy_of(answer)
    assert WORKBENCH.items() <= directives.items()
    assert set(directives.values()) == {"'none'", "'self'"}
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert "Path=/workbench;" in answer.headers.get("Set-Cookie", "Path=/workbench;")
    assert_careful(answer)


def policy_of(answer: Answer) -> dict[str, str]:
    policy = answer.headers["Content-Security-Policy"]
    directives = dict(part.split(" ", 1) for part in policy.split("; "))
    assert directives["default-src"] == "'none'"
    assert directives["frame-ancestors"] == "'none'"
    assert directives["base-uri"] == "'none'"
    return directives


def assert_careful(answer: Answer) -> None:
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "geolocation=()" in answer.headers["Permissions-Policy"]
    assert "Server" not in answer.headers
    assert "ETag" not in answer.headers


def example(rule: Rule) -> str:
    """A path that the rule takes."""
    return re.sub(r"<(?:[^<>]+:)?(\w+)>", lambda match: EXAMPLES[match[1]], rule.rule)


def paths(app: Flask) -> list[tuple[str, str]]:
    """Every method of every rule of the URL map, with examples filled in."""
    return [
        (method, example(rule))
        for rule in app.url_map.iter_rules()
        for method in sorted(rule.methods or ())
    ]


def test_every_route_has_strict_headers_open_and_closed(live: Live) -> None:
    routes = paths(create_app(live.services))
    assert len(routes) > 20
    for _ in ("open", "closed"):
        for method, path in routes:
            answer = live.send(method, path, b"" if method in ("POST", "PUT") else None)
            assert answer.status != 500, (method, path)
            check = assert_fit_for_researchers if in_workbench(path) else assert_strict
            check(answer)
        ending.close(live.services.database, "habits")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/nothing"),
        ("GET", "/nothing/here"),
        ("GET", "/s/nowhere"),
        ("GET", "/s/nowhere/results"),
        ("DELETE", "/s/habits"),
        ("GET", "/api/surveys"),
        ("TRACE", "/s/habits"),
        ("GET", "//evil.example/s/habits"),
        ("GET", "/s/%00"),
        ("GET", "/workbenches"),
    ],
)
def test_errors_have_strict_headers(live: Live, method: str, path: str) -> None:
    answer = live.send(method, path)
    assert 400 <= answer.status < 500
    assert_strict(answer)


def test_a_stored_and_a_refused_report_get_strict_headers(live: Live) -> None:
    for ticket in ("fresh", None):
        assert_strict(live.post(live.report(), ticket))


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"no HTTP at all", b"400"),
        (b"POST /api/surveys/habits/reports HTTP/1.1\r\nContent-Length: 9000000", b"413"),
    ],
)
def test_answers_of_the_web_server_itself_are_strict_and_nameless(
    live: Live, request_line: bytes, status: bytes
) -> None:
    with socket.create_connection(("127.0.0.1", urlsplit(live.url).port or 0)) as connection:
        connection.sendall(request_line + b"\r\n\r\n")
        with connection.makefile("rb") as lines:
            answer = lines.read()
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.split()[1] == status
    pairs = (line.decode().split(": ", 1) for line in head.split(b"\r\n")[1:])
    assert_strict(Answer(0, dict(pairs), body))
    assert b"waitress" not in answer


class Oops(Exception):
    """Carries what a log must never show."""


def broken_app(services: Services) -> Flask:
    app = create_app(services)

    @app.get("/api/broken/<id>")
    def broken_view(id: str) -> str:
        raise Oops(f"the message quotes {id}")

    return app


def test_an_unexpected_error_is_a_500_that_tells_nothing_and_logs_no_request(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    client = broken_app(services).test_client()
    with caplog.at_level(logging.DEBUG):
        response = client.get(f"/api/broken/{ID}", headers={"User-Agent": "agent-canary"})
    assert response.status_code == 500
    assert response.json is not None
    assert response.json["error"]["code"] == "failed"
    assert ID not in response.text
    assert_strict(Answer(500, dict(response.headers), b""))
    assert "broken_view" in caplog.text
    assert "Oops" in caplog.text
    for secret in (ID, "agent-canary", "127.0.0.1"):
        assert secret not in caplog.text


def test_the_log_of_a_busy_server_has_no_id_ticket_address_or_agent(
    live: Live, caplog: pytest.LogCaptureFixture
) -> None:
    agent = {"User-Agent": "agent-canary", **JSON}
    tickets = [live.ticket() for _ in range(20)]
    with caplog.at_level(logging.DEBUG):
        for ticket in tickets:
            live.post(live.report(), ticket, headers=agent)
            live.post(b"{", ticket, headers=agent)
    nonces = [ticket.partition(".")[0] for ticket in tickets]
    for secret in (*map(report_id, tickets), *nonces, "agent-canary", "127.0.0.1"):
        assert secret not in caplog.text
