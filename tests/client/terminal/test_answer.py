"""Answering in a terminal: the same steps as the page, against a real server."""

import json
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from click.testing import CliRunner, Result

from client import __main__
from client.authoring.draft.survey import build_survey
from client.core.primitives import canonical
from client.terminal.outbox import Outbox
from server.data_folder import DataFolder
from server.lifecycle import ending
from tests.support.live import Live
from tests.support.live import live as run_live
from tests.support.publishing import try_draft


def run_answer(live: Live, outbox: Path, typed: str, fragment: str = "") -> Result:
    url = f"{live.url}/{'t' if live.survey.test else 's'}/{live.survey.slug}{fragment}"
    return CliRunner().invoke(__main__.main, ["answer", url, "--outbox", str(outbox)], input=typed)


def reports(live: Live) -> list[str]:
    return [row[2] for row in live.stored()["reports"]]


def test_a_survey_is_explained_answered_reviewed_and_sent(live: Live, tmp_path: Path) -> None:
    result = run_answer(live, tmp_path, "2\n1\ny\n")
    assert result.exit_code == 0, result.output
    assert "Who can see your true answer?" in result.output
    assert "If your true answer is Yes, 73 of 100 people like you send Yes." in result.output
    assert "You chose: Yes" in result.output
    assert "We will send" in result.output
    assert "Your randomized answers are stored" in result.output
    assert live.survey.fingerprint in result.output
    (stored,) = reports(live)
    assert json.loads(stored).keys() == {"smokes", "drinks"}


def test_what_was_shown_is_what_was_sent(live: Live, tmp_path: Path) -> None:
    result = run_answer(live, tmp_path, "2\n1\ny\n")
    (stored,) = reports(live)
    body = canonical.canonical(
        {"fingerprint": live.survey.fingerprint, "randomized": json.loads(stored)}
    ).decode()
    # Once in the review and once on the receipt.
    assert result.output.count(body) == 2


def test_a_second_visit_sends_the_same_bytes_and_asks_nothing(live: Live, tmp_path: Path) -> None:
    run_answer(live, tmp_path, "2\n1\ny\n")
    before = live.stored()
    again = run_answer(live, tmp_path, "")
    assert again.exit_code == 0
    assert "already sent" in again.output
    assert "Do you smoke?" not in again.output
    assert live.stored() == before


def test_saying_no_at_the_review_sends_and_keeps_nothing(live: Live, tmp_path: Path) -> None:
    result = run_answer(live, tmp_path, "2\n1\nn\n")
    assert result.exit_code == 2
    assert "Nothing was sent." in result.output
    assert reports(live) == []
    assert Outbox(tmp_path).find(live.survey.fingerprint) is None


def test_nothing_is_asked_without_consent_and_the_closing_text_comes_after_sending(
    folder: DataFolder, draft: dict[str, Any], tmp_path: Path
) -> None:
    study = {**draft, "consent": "Do take part.", "closing": "**Help:** [us](https://example.org)"}
    with run_live(folder, study) as live:
        refused = run_answer(live, tmp_path, "n\n")
        assert refused.exit_code == 2
        assert "Nothing was sent." in refused.output
        assert "Do you smoke?" not in refused.output
        assert reports(live) == []
        result = run_answer(live, tmp_path, "y\n2\n1\ny\n")
        assert result.exit_code == 0, result.output
        places = [
            result.output.index(text)
            for text in ("Do take part.", "Do you smoke?", "are stored", "Help: us (https://")
        ]
        assert places == sorted(places)
        # It stays to be read, and agreeing is not asked for again.
        again = run_answer(live, tmp_path, "")
        assert "Help: us (https://example.org)" in again.output
        assert "Do take part." not in again.output


def test_an_answer_that_is_no_option_is_asked_again(live: Live, tmp_path: Path) -> None:
    result = run_answer(live, tmp_path, "3\nyes\n2\n1\ny\n")
    assert result.exit_code == 0
    assert len(reports(live)) == 1


def test_a_link_whose_fingerprint_differs_is_refused(live: Live, tmp_path: Path) -> None:
    result = run_answer(live, tmp_path, "2\n1\ny\n", fragment="#" + "0" * 64)
    assert result.exit_code == 2
    assert "fingerprint" in result.output
    assert reports(live) == []


def test_a_matching_fingerprint_in_the_link_is_accepted(live: Live, tmp_path: Path) -> None:
    result = run_answer(live, tmp_path, "2\n1\ny\n", fragment=f"#{live.survey.fingerprint}")
    assert result.exit_code == 0


def rehearsal_of(live: Live, draft: dict[str, Any]) -> Live:
    survey = try_draft(live.services, draft).published.survey
    return Live(live.url, live.folder, live.services, survey)


def test_a_draft_says_that_it_is_a_test_and_may_be_answered_again_and_again(
    live: Live, draft: dict[str, Any], tmp_path: Path
) -> None:
    rehearsal = rehearsal_of(live, draft)
    for count in (1, 2):
        result = run_answer(rehearsal, tmp_path, "2\n1\ny\n")
        assert result.exit_code == 0, result.output
        assert result.output.startswith("TEST: This is a rehearsal.")
        assert f"{live.url}/t/habits/results" in result.output
        assert len(reports(rehearsal)) == count
    assert reports(live) == []
    real = run_answer(live, tmp_path, "2\n1\ny\n")
    assert "TEST" not in real.output
    assert len(reports(live)) == 1


@pytest.mark.parametrize("link_is_test", [False, True])
def test_a_test_and_a_survey_that_are_mixed_up_are_refused(
    live: Live, draft: dict[str, Any], tmp_path: Path, link_is_test: bool
) -> None:
    rehearsal = rehearsal_of(live, draft)
    link, document = (rehearsal, live) if link_is_test else (live, rehearsal)
    result = MiddleMan(link, document.survey.document).run_answer(tmp_path, "2\n1\ny\n")
    assert result.exit_code == 2
    assert "whether this is a test or the survey itself" in result.output
    assert "Do you smoke?" not in result.output


class MiddleMan(ThreadingHTTPServer):
    """A dishonest or broken server in front of the real one, on a real socket."""

    def __init__(self, live: Live, document: bytes) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.live = live
        self.document = document

    def next_document(self) -> bytes:
        return self.document

    def run_answer(self, outbox: Path, typed: str) -> Result:
        thread = Thread(target=self.serve_forever)
        thread.start()
        try:
            here = replace(self.live, url=f"http://127.0.0.1:{self.server_port}")
            return run_answer(here, outbox, typed)
        finally:
            self.shutdown()
            thread.join()
            self.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: MiddleMan

    def do_GET(self) -> None:
        self._answer(200, self.server.next_document())

    def do_POST(self) -> None:
        if self.path.endswith("/tickets"):
            self._answer(201, json.dumps({"ticket": self.server.live.ticket()}).encode())
        else:
            self.close_connection = True  # Hang up without an answer.

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_a_document_that_leaks_more_than_it_shows_is_refused(live: Live, tmp_path: Path) -> None:
    leaking = live.survey.document.replace(b"3139872686", b"3139872687")
    result = MiddleMan(live, leaking).run_answer(tmp_path, "2\n1\ny\n")
    assert result.exit_code == 2
    assert "leaks 1.00000000038, more than the epsilon 1 that is shown" in result.output
    assert "Do you smoke?" not in result.output


def test_a_report_that_got_no_answer_is_kept_and_sent_later_unchanged(
    live: Live, tmp_path: Path
) -> None:
    unlucky = MiddleMan(live, live.survey.document).run_answer(tmp_path, "2\n1\ny\n")
    assert unlucky.exit_code == 2
    assert "kept on this device" in unlucky.output
    parcel = Outbox(tmp_path).find(live.survey.fingerprint)
    assert parcel is not None
    assert not parcel.sent
    assert run_answer(live, tmp_path, "").exit_code == 0
    (stored,) = reports(live)
    assert json.loads(parcel.body)["randomized"] == json.loads(stored)


class ChangingMiddleMan(MiddleMan):
    """Publishes a new version while somebody is answering."""

    def __init__(self, live: Live, later: bytes) -> None:
        super().__init__(live, later)
        self._first = iter([live.survey.document])

    def next_document(self) -> bytes:
        return next(self._first, self.document)


def test_a_survey_that_changed_while_it_was_answered_sends_and_keeps_nothing(
    live: Live, draft: dict[str, Any], tmp_path: Path
) -> None:
    changed = build_survey({**draft, "title": "Vices"}, version=2)
    result = ChangingMiddleMan(live, changed.document).run_answer(tmp_path, "2\n1\ny\n")
    assert result.exit_code == 2
    assert "This survey was changed. Nothing was sent." in result.output
    assert Outbox(tmp_path).find(live.survey.fingerprint) is None
    assert reports(live) == []


def test_a_closed_survey_asks_nothing(live: Live, tmp_path: Path) -> None:
    ending.close(live.services.database, live.survey.slug)
    closed = run_answer(live, tmp_path, "2\n1\ny\n")
    assert closed.exit_code == 2
    assert "closed" in closed.output
    assert "Do you smoke?" not in closed.output
