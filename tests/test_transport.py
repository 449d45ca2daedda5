"""Links that the terminal client follows, and those it does not."""

import pytest

from client.refusal import Refusal
from client.transport import SurveyLink

FINGERPRINT = "0f" * 32


def test_a_link_names_a_server_and_a_survey() -> None:
    link = SurveyLink.parse("https://surveys.example.org/s/health-2026")
    assert link == SurveyLink("https://surveys.example.org", "health-2026")
    assert link.results == "https://surveys.example.org/s/health-2026/results"


def test_a_server_may_live_under_a_path() -> None:
    link = SurveyLink.parse("https://example.org/candor/s/health/")
    assert (link.origin, link.slug) == ("https://example.org/candor", "health")


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
        ("https://example.org/s/health#abc", "bad_fingerprint"),
    ],
)
def test_a_link_that_could_mislead_is_refused(url: str, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        SurveyLink.parse(url)
    assert refused.value.code == code
