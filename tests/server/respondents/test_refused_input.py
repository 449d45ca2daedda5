"""Bad input gets a clear answer and leaves nothing behind: one test per fault."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from server.lifecycle import ending
from server.surveys import tickets
from tests.support.live import JSON, Answer, Live
from tests.support.publishing import publish_draft
from tests.support.tickets import new_ticket


@pytest.fixture
def spent(live: Live) -> str:
    """A ticket that has paid for a report."""
    ticket = live.ticket()
    assert live.post(live.report(), ticket).status == 201
    return ticket


@pytest.fixture
def other_ticket(live: Live, draft: dict[str, Any]) -> str:
    """A genuine ticket, for another survey."""
    survey = publish_draft(live.services, {**draft, "slug": "other"}).published.survey
    return new_ticket(live.services, survey)


@pytest.fixture
def unused_ticket_of_a_closed_survey(live: Live) -> str:
    ticket = live.ticket()
    ending.close(live.services.database, live.survey.slug)
    return ticket


@pytest.fixture(autouse=True)
def untouched(request: pytest.FixtureRequest, live: Live) -> Iterator[None]:
    """Whatever the test sends, every table must be the same afterwards."""
    for history in ("spent", "other_ticket", "unused_ticket_of_a_closed_survey"):
        if history in request.fixturenames:
            request.getfixturevalue(history)
    before = live.stored()
    yield
    assert live.stored() == before


def assert_refused(answer: Answer, status: int, code: str, field: str | None = None) -> None:
    error = answer.json["error"]
    assert (answer.status, error["code"], error["field"]) == (status, code, field)
    assert set(error) == {"code", "message", "field"}
    assert error["message"]


def test_malformed_json(live: Live) -> None:
    assert_refused(live.post(live.report()[:-1]), 400, "malformed_json")


def test_an_empty_body(live: Live) -> None:
    assert_refused(live.post(b""), 400, "malformed_json")


def test_a_hundred_thousand_brackets(live: Live) -> None:
    # Under the size limit of a report the depth limit answers, above it the size limit.
    assert_refused(live.post(b"[" * 60_000), 400, "too_deep")
    assert_refused(live.post(b"[" * 100_000), 413, "too_large")


def test_nan(live: Live) -> None:
    body = live.report().replace(b'"smokes":0', b'"smokes":NaN')
    assert_refused(live.post(body), 400, "not_an_integer")


def test_a_float(live: Live) -> None:
    body = live.report().replace(b'"smokes":0', b'"smokes":0.0')
    assert_refused(live.post(body), 400, "not_an_integer")


def test_a_duplicate_key(live: Live) -> None:
    body = live.report().replace(b'"smokes":0', b'"smokes":0,"smokes":1')
    assert_refused(live.post(body), 400, "duplicate_key", "smokes")


def test_true_for_one(live: Live) -> None:
    assert_refused(live.post(live.report(smokes=True)), 400, "option_out_of_range", "smokes")


def test_utf_16(live: Live) -> None:
    assert_refused(live.post(live.report().decode().encode("utf-16")), 400, "not_utf8")


def test_a_list_instead_of_an_object(live: Live) -> None:
    assert_refused(live.post(b"[]"), 400, "not_an_object", "report")


def test_a_wrong_fingerprint(live: Live) -> None:
    body = live.report().replace(live.survey.fingerprint.encode(), b"0" * 64)
    assert_refused(live.post(body), 400, "wrong_fingerprint", "fingerprint")


def test_a_fingerprint_that_is_no_text(live: Live) -> None:
    body = json.dumps({"fingerprint": {}, "randomized": {"smokes": 0, "drinks": 0}}).encode()
    assert_refused(live.post(body), 400, "wrong_fingerprint", "fingerprint")


def test_an_unknown_question(live: Live) -> None:
    assert_refused(live.post(live.report(gambles=1)), 400, "unknown_question", "gambles")


def test_a_missing_question(live: Live) -> None:
    body = live.report().replace(b',"smokes":0', b"")
    assert_refused(live.post(body), 400, "missing_question", "smokes")


@pytest.mark.parametrize("option", [-1, 2, "1", None, [1]])
def test_an_option_out_of_range(live: Live, option: object) -> None:
    assert_refused(live.post(live.report(smokes=option)), 400, "option_out_of_range", "smokes")


def test_an_additional_key(live: Live) -> None:
    body = live.report()[:-1] + b',"name":"me"}'
    assert_refused(live.post(body), 400, "unknown_key", "name")


def test_a_missing_ticket(live: Live) -> None:
    assert_refused(live.post(live.report(), ticket=None), 400, "ticket_missing", "ticket")


@pytest.mark.parametrize("ticket", ["", "x", f"{'0' * 64}.{'0' * 64}", "a" * 5000, "é"])
def test_a_forged_ticket(live: Live, ticket: str) -> None:
    assert_refused(live.post(live.report(), ticket=ticket), 403, "ticket_forged", "ticket")


def test_a_ticket_signed_with_another_secret(live: Live) -> None:
    forged = tickets.issue(b"guessed", live.survey.fingerprint)
    assert_refused(live.post(live.report(), ticket=forged), 403, "ticket_forged", "ticket")


def test_a_ticket_of_another_survey(live: Live, other_ticket: str) -> None:
    answer = live.post(live.report(), ticket=other_ticket)
    assert_refused(answer, 403, "ticket_forged", "ticket")


def test_a_spent_ticket(live: Live, spent: str) -> None:
    answer = live.post(live.report(smokes=1), ticket=spent)
    assert_refused(answer, 409, "ticket_spent", "ticket")


def test_a_closed_survey(live: Live, unused_ticket_of_a_closed_survey: str) -> None:
    answer = live.post(live.report(), ticket=unused_ticket_of_a_closed_survey)
    assert_refused(answer, 410, "survey_closed")
    no_ticket = live.send("POST", f"{live.api}/tickets", b"{}", JSON)
    assert_refused(no_ticket, 410, "survey_closed")
    assert live.get(f"/s/{live.survey.slug}").status == 410


def test_a_body_over_the_limit(live: Live) -> None:
    assert_refused(live.post(live.report() + b" " * 2**16), 413, "too_large")


def test_a_body_over_the_limit_in_chunks(live: Live) -> None:
    headers = {"Candor-Ticket": live.ticket(), **JSON}
    chunks = iter([live.report(), *[b" " * 1024] * 64])
    assert_refused(live.send("POST", f"{live.api}/reports", chunks, headers), 413, "too_large")


@pytest.mark.parametrize("type", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_wrong_content_type(live: Live, type: str) -> None:
    answer = live.post(live.report(), headers={"Content-Type": type} if type else {})
    assert_refused(answer, 415, "wrong_content_type", "Content-Type")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://[broken"},
    ],
)
def test_a_foreign_origin(live: Live, headers: dict[str, str]) -> None:
    answer = live.post(live.report(), headers={**JSON, **headers})
    assert_refused(answer, 403, "foreign_origin")
    tickets = live.send("POST", f"{live.api}/tickets", b"{}", {**JSON, **headers})
    assert_refused(tickets, 403, "foreign_origin")


def test_an_unknown_survey(live: Live) -> None:
    path, headers = "/api/surveys/nowhere/reports", {"Candor-Ticket": live.ticket(), **JSON}
    assert_refused(live.send("POST", path, live.report(), headers), 404, "unknown_survey", "slug")
    answer = live.send("POST", "/api/surveys/nowhere/tickets", b"{}", JSON)
    assert_refused(answer, 404, "unknown_survey", "slug")


def test_a_report_by_put(live: Live) -> None:
    answer = live.send("PUT", f"{live.api}/reports", live.report(), JSON)
    assert_refused(answer, 405, "method_not_allowed")
    assert "POST" in answer.headers["Allow"]


def test_an_id_in_the_address(live: Live) -> None:
    answer = live.send("POST", f"{live.api}/reports/{'0' * 32}", live.report(), JSON)
    assert_refused(answer, 404, "not_found")


def test_a_person_gets_a_page_and_a_program_gets_json(live: Live) -> None:
    assert live.get("/s/nowhere").headers["Content-Type"].startswith("text/html")
    assert live.get("/s/nowhere/document.json").code == "unknown_survey"


@pytest.mark.parametrize(
    "path",
    [
        "/client/../survey.py",
        "/client/%2e%2e/survey.py",
        "/client/..%2fsurvey.py",
        "/client/nothing.js",
        "/client/words.js",
        "/client/",
    ],
)
def test_a_path_outside_the_served_files(live: Live, path: str) -> None:
    assert live.get(path).status == 404
