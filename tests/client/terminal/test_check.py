"""`candor check`: a server that changes a single byte is caught."""

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from click.testing import CliRunner, Result

from client import __main__
from client.browser.bundle import catalogue, icon, script_file, survey_page
from client.wording.languages import INTERFACE
from server.lifecycle import ending
from tests.support.live import Live

THINGS = [
    *(f"page {language}" for language in INTERFACE),
    *("style", "script", "icon"),
    *(f"texts {language}" for language in INTERFACE),
    "document",
]


def run_check(url: str, *options: str) -> Result:
    return CliRunner().invoke(__main__.main, ["check", url, *options])


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


class _Relay(BaseHTTPRequestHandler):
    """Passes the real server's answers on, with one byte changed at one path."""

    def __init__(self, live: Live, path: str, old: bytes, new: bytes, *given: object) -> None:
        self.live, self.changed, self.old, self.new = live, path, old, new
        super().__init__(*given)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        answer = self.live.send("GET", self.path, headers=dict(self.headers))
        body = answer.body
        if self.path == self.changed:
            body = gzip.compress(gzip.decompress(body).replace(self.old, self.new, 1))
        self.send_response(answer.status)
        for name in ("Content-Type", "Content-Encoding"):
            if name in answer.headers:
                self.send_header(name, answer.headers[name])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def dishonest(live: Live, path: str, old: bytes, new: bytes) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Relay, live, path, old, new))
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


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


def test_an_honest_question_that_is_not_the_pinned_one_is_caught(live: Live) -> None:
    with dishonest(live, "/s/habits/document.json", b"smoke?", b"SMOKE?") as url:
        unpinned = run_check(f"{url}/s/habits")
        pinned = run_check(f"{url}/s/habits#{live.survey.fingerprint}")
    assert (unpinned.exit_code, pinned.exit_code) == (0, 1)
    assert differing(pinned) == ["document"]


def test_the_relay_itself_changes_nothing(live: Live) -> None:
    with dishonest(live, "/nowhere", b"", b"") as url:
        assert run_check(f"{url}/s/habits").exit_code == 0


def test_an_answer_that_would_unpack_without_end_is_cut_off(live: Live) -> None:
    page = survey_page()
    with dishonest(live, "/s/habits", page, page + b" " * 50_000_000) as url:
        assert differing(run_check(f"{url}/s/habits")) == ["page en"]
