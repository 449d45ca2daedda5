"""`candor check`: a server that changes a single byte is caught."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import brotli
import pytest
from click.testing import CliRunner, Result

from client import __main__
from client.browser.bundle import catalogue, icon, script_file, survey_page
from client.wording.languages import INTERFACE
from server.lifecycle import ending
from tests.support.live import Live
from tests.support.small_server import Quiet, served_by

THINGS = [
    *(f"page {language}" for language in INTERFACE),
    *("style", "script", "icon"),
    *(f"texts {language}" for language in INTERFACE),
    *("document", "headers"),
]


def run_check(*given: str) -> Result:
    return CliRunner().invoke(__main__.main, ["check", *given])


def differing(result: Result) -> list[str]:
    return [
        line.split("DIFFERS")[0].strip() for line in result.output.split("\n") if "DIFF" in line
    ]


def test_an_honest_server_passes_with_a_line_for_each_thing(live: Live) -> None:
    result = run_check(f"{live.url}/s/habits#{live.survey.fingerprint}")
    assert result.exit_code == 0, result.output
    lines = result.output.split("\n")
    assert [line[:10].strip() for line in lines[: len(THINGS)]] == THINGS
    assert all("  same  " in f"  {line[10:]}" for line in lines[: len(THINGS)])
    assert live.survey.fingerprint in result.output
    assert script_file().address.split("/")[2].removesuffix(".js") in result.output


def test_programs_get_json(live: Live) -> None:
    found = json.loads(run_check(f"{live.url}/s/habits", "--json").output)
    assert found["same"] is True
    assert [finding["what"] for finding in found["findings"]] == THINGS
    assert all(finding["expected"] == finding["served"] for finding in found["findings"])


def test_a_closed_survey_has_no_page_to_compare(live: Live) -> None:
    ending.close(live.services.database, "habits")
    result = run_check(f"{live.url}/s/habits")
    assert result.exit_code == 1
    assert differing(result) == [*(name for name in THINGS if name.startswith("page")), "style"]


def test_a_server_out_of_reach_is_an_error_and_no_verdict() -> None:
    result = run_check("http://127.0.0.1:9/s/habits")
    assert result.exit_code == 2
    assert "cannot be reached" in result.output


class _Relay(Quiet):
    """Passes the real server's answers on, with one byte or one header changed at one path."""

    def __init__(
        self, live: Live, path: str, old: bytes, new: bytes, header: str, *given: object
    ) -> None:
        self.live, self.changed, self.old, self.new, self.header = live, path, old, new, header
        super().__init__(*given)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        answer = self.live.send("GET", self.path, headers=dict(self.headers))
        body, headers = answer.body, dict(answer.headers)
        if self.path == self.changed:
            body = brotli.compress(brotli.decompress(body).replace(self.old, self.new, 1))
            name, _, value = self.header.partition(": ")
            headers[name] = value
        self.send_response(answer.status)
        for name, value in headers.items():
            if name and value and name != "Content-Length":
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def dishonest(
    live: Live, path: str, old: bytes = b"", new: bytes = b"", header: str = ""
) -> Iterator[str]:
    with served_by(partial(_Relay, live, path, old, new, header)) as url:
        yield url


PAGES = [f"page {language}" for language in INTERFACE]
CHANGES = {
    "script": (script_file().address, b"< threshold", b"<=threshold", ["script"]),
    "texts": (catalogue("en").address, b"never", b"NEVER", ["texts en"]),
    "icon": (icon().address, b"0b6b62", b"0b6b63", ["icon"]),
    "page": ("/s/habits", b"</main>", b"</mein>", PAGES),
    "style": ("/s/habits", b"--ground: #f6f5f1", b"--ground: #f6f5f2", [*PAGES, "style"]),
    "integrity": ("/s/habits", b"sha256-", b"sha384-", PAGES),
    "threshold": ("/s/habits/document.json", b"3139872686", b"3139872687", ["document"]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_one_other_byte_is_caught_and_named(live: Live, change: str) -> None:
    path, old, new, expected = CHANGES[change]
    with dishonest(live, path, old, new) as url:
        result = run_check(f"{url}/s/habits")
    assert differing(result) == expected
    assert result.exit_code == 1


HEADERS = [
    "Refresh: 0; url=https://elsewhere.example/",
    "Content-Security-Policy: default-src *",
    "Content-Security-Policy: ",
    "Content-Security-Policy-Report-Only: default-src 'none'; report-uri https://elsewhere.example",
    "Content-Type: text/html; charset=utf-7",
    "Set-Cookie: visitor=17",
    "ETag: visitor-17",
    "Link: <https://elsewhere.example/s.css>; rel=stylesheet",
    "NEL: {}",
    "Cache-Control: public",
]


@pytest.mark.parametrize("header", HEADERS)
def test_another_header_is_caught_and_named(live: Live, header: str) -> None:
    with dishonest(live, "/s/habits", header=header) as url:
        result = run_check(f"{url}/s/habits")
    assert differing(result) == ["headers"]
    name, _, value = header.partition(": ")
    assert (f"/s/habits (en): {header}" if value else f"no {name.lower()}") in result.output
    assert result.exit_code == 1


@pytest.mark.parametrize("path", [script_file().address, "/s/habits/document.json"])
def test_headers_of_files_are_compared_too(live: Live, path: str) -> None:
    with dishonest(live, path, header="Content-Type: text/plain") as url:
        assert differing(run_check(f"{url}/s/habits")) == ["headers"]


def test_a_server_that_leads_elsewhere_is_named_and_not_followed(live: Live) -> None:
    class Elsewhere(Quiet):
        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("Location", f"{live.url}{self.path}\x1b[2J")
            self.end_headers()

    with served_by(Elsewhere) as url:
        result = run_check(f"{url}/s/habits")
    assert differing(result) == [thing for thing in THINGS if thing != "headers"]
    assert f"status 302, which leads to {live.url}/s/habits" in result.output
    assert "\x1b" not in result.output


def test_its_requests_look_like_a_browsers(live: Live) -> None:
    """Chromium's own headers are compared in tests/browser/test_checking_in_browser.py."""
    seen: list[str] = []

    class Noting(Quiet):
        def do_GET(self) -> None:
            seen.append(f"{self.path} {self.headers}")
            self.send_error(404)

    with served_by(Noting) as url:
        run_check(f"{url}/s/habits")
    assert len(seen) == len(THINGS) - 2
    assert not [one for one in seen if "candor" in one.lower() or "python" in one.lower()]


def test_a_saved_page_is_compared_whatever_its_language(tmp_path: Path) -> None:
    for language in INTERFACE:
        file = tmp_path / f"{language}.html"
        file.write_bytes(survey_page(language))
        result = run_check("--saved", str(file))
        assert result.exit_code == 0, result.output
        assert "The saved page is what this installation contains." in result.output
        file.write_bytes(survey_page(language).replace(b"integrity=", b"integrety=", 1))
        assert (found := run_check("--saved", str(file))).exit_code == 1
        assert found.output.startswith("page      DIFFERS")


@pytest.mark.parametrize("given", [[], ["http://127.0.0.1/s/habits", "--saved", "x.html"]])
def test_either_a_link_or_a_saved_page(given: list[str]) -> None:
    result = run_check(*given)
    assert result.exit_code == 2
    assert "either the URL of a survey or --saved" in result.output


def test_an_honest_question_that_is_not_the_pinned_one_is_caught(live: Live) -> None:
    with dishonest(live, "/s/habits/document.json", b"smoke?", b"SMOKE?") as url:
        unpinned = run_check(f"{url}/s/habits")
        pinned = run_check(f"{url}/s/habits#{live.survey.fingerprint}")
    assert (unpinned.exit_code, pinned.exit_code) == (0, 1)
    assert differing(pinned) == ["document"]


def test_the_relay_itself_changes_nothing(live: Live) -> None:
    with dishonest(live, "/nowhere") as url:
        assert run_check(f"{url}/s/habits").exit_code == 0


def test_an_answer_that_would_unpack_without_end_is_cut_off(live: Live) -> None:
    page = survey_page()
    with dishonest(live, "/s/habits", page, page + b" " * 50_000_000) as url:
        assert differing(run_check(f"{url}/s/habits")) == ["page en"]
