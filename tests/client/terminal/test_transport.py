"""Links that the terminal client follows, and links that it refuses."""

import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from client.core.primitives.refusal import Refusal
from client.terminal.transport import TEMPORARY, SurveyLink, with_retries

FINGERPRINT = "0f" * 32


def test_a_link_names_a_server_and_a_survey() -> None:
    link = SurveyLink.parse("https://surveys.example.org/s/health-2026")
    assert link == SurveyLink("https://surveys.example.org", "health-2026")
    assert link.results == "https://surveys.example.org/s/health-2026/results"


def test_a_server_may_live_under_a_path() -> None:
    link = SurveyLink.parse("https://example.org/candor/s/health/")
    assert (link.origin, link.slug) == ("https://example.org/candor", "health")


def test_the_link_of_a_test_is_known_by_its_path() -> None:
    link = SurveyLink.parse("https://example.org/candor/t/health")
    assert link == SurveyLink("https://example.org/candor", "health", is_test=True)
    assert link.results == "https://example.org/candor/t/health/results"
    assert not SurveyLink.parse("https://example.org/t/s/health").is_test


def test_the_fragment_pins_the_document() -> None:
    link = SurveyLink.parse(f"https://example.org/s/health#{FINGERPRINT}")
    assert link.fingerprint == FINGERPRINT


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000"])
def test_plain_http_is_followed_on_this_machine(host: str) -> None:
    assert SurveyLink.parse(f"http://{host}/s/demo").slug == "demo"


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://example.org/s/health", "insecure_link"),
        ("http://127.0.0.1.example.org/s/health", "insecure_link"),
        ("ftp://example.org/s/health", "insecure_link"),
        ("file:///s/health", "insecure_link"),
        ("health", "insecure_link"),
        ("https://example.org/", "bad_link"),
        ("https://example.org/s/Health", "bad_link"),
        ("https://example.org/s/health/results", "bad_link"),
        ("https://example.org/u/health", "bad_link"),
        ("https://example.org/s/health#abc", "bad_fingerprint"),
    ],
)
def test_a_link_that_could_mislead_is_refused(url: str, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        SurveyLink.parse(url)
    assert refused.value.code == code


@pytest.fixture
def answering() -> Iterator[Callable[[bytes], SurveyLink]]:
    """Return links to servers that send a few bytes to any client and hang up."""
    with ExitStack() as stack:

        def serve(answer: bytes) -> SurveyLink:
            class Handler(socketserver.StreamRequestHandler):
                def handle(self) -> None:
                    while self.rfile.readline().strip():
                        pass
                    self.wfile.write(answer)

            server = stack.enter_context(socketserver.TCPServer(("127.0.0.1", 0), Handler))
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            stack.callback(thread.join)
            stack.callback(server.shutdown)
            return SurveyLink(f"http://127.0.0.1:{server.server_address[1]}", "health")

        yield serve


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (b"", "out_of_reach"),
        (b"HTTP", "out_of_reach"),
        (b"HTTP/1.1 2", "out_of_reach"),
        (b"220 mail.example.org\r\n\r\n", "out_of_reach"),
        (b'HTTP/1.1 201 Created\r\nContent-Length: 20\r\n\r\n{"tick', "server_error"),
        (b"HTTP/1.1 200 OK\r\n\r\n[]", "server_error"),
        (b"HTTP/1.1 201 Created\r\n\r\n" + b"[" * 100_000, "server_error"),
        (b"HTTP/1.1 502 Bad Gateway\r\n\r\n<html>", "server_error"),
        (b"HTTP/1.1 502 Bad Gateway\r\n\r\n" + b"[" * 100_000, "server_error"),
        (b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 20\r\n\r\n{", "server_error"),
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n", "server_error"),
    ],
)
def test_an_answer_that_breaks_off_or_makes_no_sense_is_a_trouble_that_may_pass(
    answering: Callable[[bytes], SurveyLink], answer: bytes, code: str
) -> None:
    link = answering(answer)
    with pytest.raises(Refusal) as refusal:
        link.ask_for_open_ticket()
    with pytest.raises(Refusal) as refusal_to_sign:
        link.ask_to_sign("code", "00")
    assert refusal.value.code == refusal_to_sign.value.code == code
    assert code in TEMPORARY


@pytest.mark.parametrize(
    "answer", ['{"signed": "1", "more": "2"}', '{"ticket": "1"}', '["signed"]', "{}", '"signed"']
)
def test_an_answer_has_exactly_what_was_asked_for(
    answering: Callable[[bytes], SurveyLink], answer: str
) -> None:
    link = answering(f"HTTP/1.1 201 Created\r\n\r\n{answer}".encode())
    with pytest.raises(Refusal) as refusal:
        link.ask_to_sign("code", "00")
    assert refusal.value.code == "server_error"


@pytest.mark.parametrize(
    "code", ["7k3mq-2xw9-pbd4r", "7K3MQ2XW9PBD4R", "02-7k3mq-2xw9-pbd4r", "0123-7k3mq-2xw9-pbd4r"]
)
def test_a_code_may_begin_with_the_digits_of_its_group(code: str) -> None:
    link = SurveyLink.parse(f"https://example.org/s/health#{code}")
    assert (link.invitation, link.is_short) == (code, True)


def test_what_may_pass_is_tried_again_after_each_pause_and_nothing_else() -> None:
    calls: list[str] = []

    def refused(code: str) -> None:
        calls.append(code)
        raise Refusal(f"{code}.status", status=503, reason="busy")

    pauses: list[float] = []
    with pytest.raises(Refusal):
        with_retries(lambda: refused("server_error"), (1, 2), pauses.append)
    assert (calls, pauses) == (["server_error"] * 3, [1, 2])
    with pytest.raises(Refusal):
        with_retries(lambda: refused("link_used"), (1, 2), pauses.append)
    assert (len(calls), len(pauses)) == (4, 2)
