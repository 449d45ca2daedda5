"""Handing in: what is acknowledged is stored once, whatever the network repeats."""

import hashlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from client.core.primitives.refusal import Refusal
from client.core.report import Report
from client.core.tickets.ticket import report_id
from server.lifecycle import ending
from server.lifecycle.hand_in import store_ballot
from server.store import reading
from server.surveys.ballots.ballot import Ballot
from tests.support.inviting import ask_for_ticket
from tests.support.live import Live
from tests.support.publishing import publish_draft


def cells(live: Live) -> dict[tuple[str, int], int]:
    return {(question, cell): count for _, question, cell, count, _ in live.stored()["tallies"]}


def test_a_report_is_stored_under_the_id_that_its_ticket_gives_it(live: Live) -> None:
    ticket = live.ticket()
    answer = live.post(live.report(smokes=1), ticket)
    assert (answer.status, answer.json) == (201, {"status": "stored"})
    rows = live.stored()
    assert [(id, content) for _, id, content, *_ in rows["reports"]] == [
        (report_id(ticket), '{"drinks":0,"smokes":1}')
    ]
    nonce = ticket.partition(".")[0]
    named = hashlib.sha256(b"candor report\n" + nonce.encode()).hexdigest()
    assert report_id(ticket) == named[:32]
    assert cells(live) == {
        ("drinks", 0): 1,
        ("drinks", 1): 0,
        ("smokes", 0): 0,
        ("smokes", 1): 1,
    }


def test_a_ticket_is_issued_over_http_and_leaves_no_trace(live: Live) -> None:
    before = live.stored()
    answer = ask_for_ticket(live, {})
    assert answer.status == 201
    assert live.stored() == before
    assert live.post(live.report(), ticket=answer.json["ticket"]).status == 201


def test_the_same_report_again_is_acknowledged_and_counted_once(live: Live) -> None:
    ticket = live.ticket()
    assert live.post(live.report(), ticket).status == 201
    before = live.stored()
    again = live.post(live.report(), ticket)
    assert (again.status, again.json) == (200, {"status": "stored"})
    assert live.stored() == before


def test_spaces_and_key_order_do_not_make_a_report_a_different_one(live: Live) -> None:
    ticket = live.ticket()
    live.post(live.report(smokes=1), ticket)
    spelled = (
        f'{{ "randomized": {{"smokes": 1, "drinks": 0}}, '
        f'"fingerprint": "{live.survey.fingerprint}" }}'
    )
    assert live.post(spelled.encode(), ticket).status == 200


def test_another_report_with_the_same_ticket_is_refused_and_the_first_stays(live: Live) -> None:
    ticket = live.ticket()
    live.post(live.report(smokes=0), ticket)
    before = live.stored()
    answer = live.post(live.report(smokes=1), ticket)
    assert (answer.status, answer.code) == (409, "ticket_spent")
    assert live.stored() == before


def test_a_closed_survey_still_acknowledges_the_same_report(live: Live) -> None:
    used, unused = live.ticket(), live.ticket()
    live.post(live.report(), used)
    ending.close(live.services.database, live.survey.slug)
    assert live.post(live.report(), used).status == 200
    assert live.post(live.report(), unused).code == "survey_closed"


def test_a_report_to_a_replaced_version_is_acknowledged_again_but_a_new_one_is_late(
    live: Live, draft: dict[str, Any]
) -> None:
    used, unused = live.ticket(), live.ticket()
    live.post(live.report(), used)
    publish_draft(live.services, {**draft, "title": "Habits, again"}, new_version=True)
    before = live.stored()
    assert live.post(live.report(), used).status == 200
    late = live.post(live.report(), unused)
    assert (late.status, late.code) == (409, "document_changed")
    assert live.stored() == before


def test_a_report_to_a_survey_that_is_gone_by_the_time_of_storing_hears_so(live: Live) -> None:
    database = live.services.database
    published = reading.newest(database.reader, live.survey.slug)
    report = Report.parse(live.report(), live.survey)
    ending.wipe(database, live.survey.slug)
    with pytest.raises(Refusal) as refused:
        store_ballot(database, Ballot(published.survey, "0" * 32, report))
    assert refused.value.code == "unknown_survey"
    assert live.stored()["reports"] == []


def test_the_same_report_fifty_times_at_once_is_one_row(live: Live) -> None:
    ticket, body = live.ticket(), live.report(smokes=1)
    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda _: live.post(body, ticket), range(50)))
    statuses = sorted(answer.status for answer in answers)
    assert statuses == [200] * 49 + [201]
    rows = live.stored()
    assert len(rows["reports"]) == 1
    assert cells(live)["smokes", 1] == 1


def test_one_ticket_with_different_reports_at_once_stores_exactly_one(live: Live) -> None:
    ticket = live.ticket()
    with ThreadPoolExecutor(40) as pool:
        sent = [live.report(smokes=n % 2, drinks=n // 2 % 2) for n in range(40)]
        answers = list(pool.map(lambda body: live.post(body, ticket), sent))
    statuses = Counter(answer.status for answer in answers)
    # Ten of them were the same report.
    assert statuses == {201: 1, 200: 9, 409: 30}
    assert {answer.code for answer in answers if answer.status == 409} == {"ticket_spent"}
    assert len(live.stored()["reports"]) == 1


def test_a_report_without_browser_headers_is_welcome(live: Live) -> None:
    assert live.post(live.report()).status == 201


def test_a_report_from_the_own_page_behind_a_tls_proxy_is_welcome(live: Live) -> None:
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "Host": "survey.example.org",
        "Origin": "https://survey.example.org",
        "Sec-Fetch-Site": "same-origin",
    }
    assert live.post(live.report(), headers=headers).status == 201


def test_a_report_sent_in_chunks_is_welcome(live: Live) -> None:
    path = f"{live.api}/reports"
    headers = {"Candor-Ticket": live.ticket(), "Content-Type": "application/json"}
    body = live.report()
    assert live.send("POST", path, iter([body[:20], body[20:]]), headers).status == 201


def test_everybody_gets_the_same_bytes(live: Live) -> None:
    for path in ("document.json", "privacy.json"):
        first, second = (live.get(f"/s/{live.survey.slug}/{path}") for _ in range(2))
        assert first.status == 200
        assert first.body == second.body


def test_the_document_is_served_byte_for_byte(live: Live) -> None:
    answer = live.get(f"/s/{live.survey.slug}/document.json")
    assert answer.body == live.survey.document


def test_the_privacy_figures_come_from_the_thresholds(live: Live) -> None:
    figures = live.get(f"/s/{live.survey.slug}/privacy.json").json
    assert figures["total_epsilon"] == "1.5"
    assert figures["fingerprint"] == live.survey.fingerprint
    for shown, question in zip(figures["questions"], live.survey.questions, strict=True):
        assert shown["threshold"] == question.mechanism.threshold
        assert shown["p"] == question.mechanism.threshold / 2**32
        assert shown["q"] == 1 - question.mechanism.threshold / 2**32
        assert shown["delivered_epsilon"] <= float(shown["epsilon"])
