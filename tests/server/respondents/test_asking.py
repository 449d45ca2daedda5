"""Asking with a personal link: every check in its order, and one ticket for each link."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from client.core.tickets.ticket import verify as verify_ticket
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.signing.blinded import signed_by
from server.store import reading
from server.store.verify import verify
from server.web.limits import SIGNING, TEST_SIGNING
from tests.support.clock import FakeClock, at
from tests.support.inviting import ask_for_ticket, personal
from tests.support.live import JSON, Answer, Live
from tests.support.live import live as run_live
from tests.support.publishing import publish_draft, try_draft
from tests.support.tickets import Device

Draft = dict[str, Any]
ZEROS = "0" * 512


def heard(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


def device(live: Live, group: str = "") -> Device:
    return Device(live.survey, *personal(live, 1, group))


def keys(live: Live) -> list[str]:
    return [key for _, key in live.survey.ticket_keys]


def test_a_link_buys_a_ticket_that_hands_in_one_report(staff: Live) -> None:
    person = device(staff)
    answer = ask_for_ticket(staff, person.wish)
    assert answer.status == 201
    ticket = person.ticket(answer.json["signed"])
    # What the server saw is no part of the ticket.
    assert not {person.blinding.blinded, answer.json["signed"]} & set(ticket.split("."))
    assert staff.post(staff.report(), ticket).status == 201
    assert staff.post(staff.report(), ticket).status == 200
    assert staff.post(staff.report(smokes=1), ticket).code == "ticket_spent"
    assert len(staff.stored()["reports"]) == 1
    assert verify(staff.folder.database).problems == []


def test_each_group_has_a_key_of_its_own(sites: Live) -> None:
    codes = {"north": "0", "south": "1", "west": "3"}
    for label, group in codes.items():
        person = device(sites, label)
        assert person.group == group
        ticket = person.ticket(ask_for_ticket(sites, person.wish).json["signed"])
        keys_of = dict(sites.survey.ticket_keys)
        assert verify_ticket(ticket, keys_of, sites.survey.fingerprint).group == group
        # Under the name of another group it is none.
        moved = ticket.replace(f".{group}.", ".2.")
        assert heard(sites.post(sites.report(), moved)) == (403, "ticket_forged")
        assert sites.post(sites.report(), ticket).status == 201
    found = reading.groups_of(sites.services.database.reader, "habits")
    stored = {each.name: each for each in found}
    assert [stored[group].reports for group in "0123"] == [1, 1, 0, 1]
    assert [stored[group].given for group in "0123"] == [1, 1, 0, 1]
    assert verify(sites.folder.database).problems == []


def test_asking_again_gives_the_same_and_uses_the_key_no_more(
    staff: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = device(staff)
    first = ask_for_ticket(staff, person.wish)
    before = staff.stored()

    def fail(*_: object) -> str:
        raise AssertionError("the key was used again")

    monkeypatch.setattr(staff.services.database.keys, "sign", fail)
    for _ in range(50):
        again = ask_for_ticket(staff, person.wish)
        assert (again.status, again.json) == (200, first.json)
    assert staff.stored() == before


def test_another_device_with_the_same_link_hears_that_it_was_begun(staff: Live) -> None:
    person = device(staff)
    ask_for_ticket(staff, person.wish)
    other = Device(staff.survey, person.invitation)
    assert heard(ask_for_ticket(staff, other.wish)) == (409, "link_used")


def test_forty_devices_with_one_link_get_one_ticket(staff: Live) -> None:
    (code,) = personal(staff)
    devices = [Device(staff.survey, code) for _ in range(40)]
    with ThreadPoolExecutor(40) as pool:
        answers = list(pool.map(lambda each: _until_signed(staff, each), devices))
    winners = [place for place, answer in enumerate(answers) if answer.status in (200, 201)]
    assert len(winners) == 1
    others = [answer for place, answer in enumerate(answers) if place not in winners]
    assert {heard(answer) for answer in others} == {(409, "link_used")}
    # It was asked with what the database remembers, and its ticket is good.
    signed = answers[winners[0]].json["signed"]
    ticket = devices[winners[0]].ticket(signed)
    assert staff.post(staff.report(), ticket).status == 201
    assert [row[3].hex() for row in staff.stored()["invitations"]] == [signed]


def _until_signed(live: Live, each: Device) -> Answer:
    """Ask as devices do: again, where the server has too much to sign."""
    answer = ask_for_ticket(live, each.wish)
    while answer.status == 503:
        assert answer.code == "tickets_busy"
        answer = ask_for_ticket(live, each.wish)
    return answer


def test_one_device_that_asks_forty_times_at_once_gets_one_answer(staff: Live) -> None:
    person = device(staff)
    with ThreadPoolExecutor(40) as pool:
        answers = list(pool.map(lambda _: _until_signed(staff, person), range(40)))
    assert {answer.json["signed"] for answer in answers} == {answers[0].json["signed"]}
    assert sorted({answer.status for answer in answers}) == [200, 201]
    assert [answer.status for answer in answers].count(201) == 1


def test_a_signature_that_was_not_committed_never_leaves(
    staff: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = device(staff)
    database = staff.services.database
    sign = database.keys.sign
    signed: list[str] = []

    def close_meanwhile(public: str, blinded: str) -> str:
        signed.append(sign(public, blinded))
        ending.begin_closing(staff.services, "habits", "1")
        return signed[-1]

    monkeypatch.setattr(database.keys, "sign", close_meanwhile)
    answer = ask_for_ticket(staff, person.wish)
    assert heard(answer) == (410, "survey_closing")
    assert signed[0] not in answer.body.decode()
    assert [set(row[2]) for row in staff.stored()["invitations"]] == [{0}]


def test_when_the_disk_fails_nothing_is_given_and_asking_again_helps(
    staff: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = device(staff)
    with monkeypatch.context() as patch:
        patch.setattr("server.lifecycle.asking.GIVING_SECONDS", 0)
        answer = ask_for_ticket(staff, person.wish)
        assert heard(answer) == (503, "storage_unavailable")
        assert answer.headers["Retry-After"]
    assert person.ticket(ask_for_ticket(staff, person.wish).json["signed"])


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "bad_ticket_request"),
        (b"{", "bad_ticket_request"),
        (b"[]", "bad_ticket_request"),
        (b'{"invitation":"a"}', "bad_ticket_request"),
        (b'{"invitation":"a","blinded":1}', "bad_ticket_request"),
        (b'{"invitation":null,"blinded":"0"}', "bad_ticket_request"),
        (b'{"invitation":"a","blinded":"0","more":"b"}', "bad_ticket_request"),
        (b'{"invitation":"a","blinded":"0","blinded":"1"}', "bad_ticket_request"),
        (b'{"group":"a","blinded":"0"}', "bad_ticket_request"),
        (b"{}", "invitation_missing"),
        (b'{"group":"a"}', "invitation_missing"),
        (b'{"blinded":"0"}', "invitation_missing"),
        (b'{"invitation":"","blinded":"0"}', "invitation_missing"),
        (b'{"invitation":"x","blinded":"0"}', "invitation_unknown"),
    ],
)
def test_what_is_no_wish_is_refused(staff: Live, body: bytes, code: str) -> None:
    before = staff.stored()
    assert staff.send("POST", f"{staff.api}/tickets", body, JSON).code == code
    assert staff.stored() == before


def test_too_long_a_wish_is_refused_before_it_is_read(staff: Live) -> None:
    answer = staff.send("POST", f"{staff.api}/tickets", b"{" * 1025, JSON)
    assert heard(answer) == (413, "too_large")
    assert heard(staff.send("POST", f"{staff.api}/tickets", b"{" * 1024, JSON))[0] == 400


def test_an_open_survey_signs_nothing(live: Live) -> None:
    for wish in ({"blinded": ZEROS}, {"invitation": "x", "blinded": ZEROS}):
        assert heard(ask_for_ticket(live, wish)) == (400, "no_tickets")


def test_the_checks_come_in_their_order(staff: Live, draft: Draft) -> None:
    """Each wish has two faults; what comes first is heard."""
    nowhere = "/api/surveys/nowhere/tickets"
    assert staff.send("POST", nowhere, b"[]", JSON).code == "bad_ticket_request"
    foreign = {**JSON, "Origin": "https://evil.example"}
    assert staff.send("POST", nowhere, b"x" * 2000, foreign).code == "foreign_origin"
    assert staff.send("POST", nowhere, b"x" * 2000, JSON).code == "too_large"
    wish = json.dumps({"invitation": "x", "blinded": "y"}).encode()
    assert staff.send("POST", nowhere, wish, JSON).code == "unknown_survey"
    person, asked = device(staff), device(staff)
    assert ask_for_ticket(staff, asked.wish).status == 201
    bad = {"invitation": "x", "blinded": "y"}
    assert ask_for_ticket(staff, bad).code == "invitation_unknown"
    assert ask_for_ticket(staff, {**asked.wish, "blinded": "y"}).code == "blinded_bad"
    other = Device(staff.survey, asked.invitation)
    ending.begin_closing(staff.services, "habits", "1")
    assert ask_for_ticket(staff, other.wish).code == "link_used"
    assert ask_for_ticket(staff, {**person.wish, "blinded": "y"}).code == "blinded_bad"
    assert ask_for_ticket(staff, person.wish).code == "survey_closing"
    # The key is deleted, and whoever asked before is answered all the same.
    assert not any(map(staff.services.database.keys.has, keys(staff)))
    assert ask_for_ticket(staff, asked.wish).status == 200
    ending.close(staff.services.database, "habits")
    for wish_ in (bad, {**asked.wish, "blinded": "y"}, asked.wish, other.wish, person.wish):
        assert heard(ask_for_ticket(staff, wish_)) == (410, "survey_closed")


@pytest.mark.parametrize("number", ["0", "1", "n-1", "n", "n+1", "p", "short", "upper", "+"])
def test_only_numbers_that_tell_nothing_about_the_key_are_signed(staff: Live, number: str) -> None:
    (key,) = keys(staff)
    n = int(key, 16)
    file = json.loads(next(staff.folder.ticket_keys.glob("*.json")).read_text())
    bad = {"0": 0, "1": 1, "n-1": n - 1, "n": n, "n+1": n + 1, "p": int(file["p"], 16)}
    good = device(staff).blinding.blinded
    odd = {"short": good[1:], "upper": good.upper(), "+": f"+{good[1:]}"}
    person = device(staff)
    wish = {**person.wish, "blinded": odd.get(number) or f"{bad[number]:0512x}"}
    assert heard(ask_for_ticket(staff, wish)) == (400, "blinded_bad")
    # The link is not used up by it.
    assert ask_for_ticket(staff, person.wish).status == 201


def test_without_its_key_a_survey_says_so_and_still_takes_reports(staff: Live) -> None:
    person, late = device(staff), device(staff)
    ticket = person.ticket(ask_for_ticket(staff, person.wish).json["signed"])
    staff.services.database.keys.delete(*keys(staff))
    assert heard(ask_for_ticket(staff, late.wish)) == (503, "ticket_key_missing")
    assert ask_for_ticket(staff, person.wish).status == 200
    assert staff.post(staff.report(), ticket).status == 201


def test_the_test_of_an_invited_draft_signs_for_everybody(live: Live, draft: Draft) -> None:
    survey = try_draft(live.services, {**draft, "access": "invited"}).published.survey
    test = Live(live.url, live.folder, live.services, survey)
    for _ in range(2):
        person = Device(survey)
        answer = ask_for_ticket(test, person.wish)
        assert answer.status == 201
        assert test.post(test.report(), person.ticket(answer.json["signed"])).status == 201
    for wish in ({}, {"invitation": "x", "blinded": ZEROS}):
        assert heard(ask_for_ticket(test, wish)) == (400, "bad_ticket_request")
    assert len(list(live.folder.test_keys.glob("*.json"))) == 1
    ending.wipe(live.services.drafts, "habits")
    assert list(live.folder.test_keys.glob("*")) == []


def test_links_and_tests_do_not_wait_for_each_other(staff: Live, draft: Draft) -> None:
    """Strangers can ask a test for tickets as often as they like."""
    other = {**draft, "slug": "other", "access": "invited"}
    survey = try_draft(staff.services, other).published.survey
    test = Live(staff.url, staff.folder, staff.services, survey)
    with SIGNING, SIGNING:
        assert ask_for_ticket(test, Device(survey).wish).status == 201
    with TEST_SIGNING:
        assert ask_for_ticket(staff, device(staff).wish).status == 201


@pytest.fixture
def collecting(folder: DataFolder, draft: Draft, clock: FakeClock) -> Iterator[Live]:
    """Tickets until noon of tomorrow has passed by twelve hours, and reports from then on."""
    invited = {**draft, "access": "invited", "answer_from": "2026-11-22"}
    with at(clock, folder, invited, opens="2026-11-21") as running:
        yield running


def test_tickets_are_collected_before_answers_are_given(collecting: Live, clock: FakeClock) -> None:
    early, person, late = (device(collecting) for _ in range(3))
    assert heard(ask_for_ticket(collecting, early.wish)) == (403, "survey_not_open")
    clock.wait(12)
    ticket = person.ticket(ask_for_ticket(collecting, person.wish).json["signed"])
    assert collecting.get("/s/habits").status == 200
    assert heard(collecting.post(collecting.report(), ticket)) == (403, "survey_not_open")
    clock.wait(23)
    assert collecting.post(collecting.report(), ticket).code == "survey_not_open"
    clock.wait(1)
    assert heard(ask_for_ticket(collecting, late.wish)) == (410, "collecting_over")
    assert ask_for_ticket(collecting, person.wish).status == 200
    assert collecting.get("/s/habits").status == 200
    assert collecting.post(collecting.report(), ticket).status == 201


def test_when_collecting_is_over_the_key_goes(collecting: Live, clock: FakeClock) -> None:
    (key,) = keys(collecting)
    database = collecting.services.database
    clock.wait(35)
    ending.finish_due(database)
    assert database.keys.has(key)
    clock.wait(1)
    # Not by a clock that may be wrong: a key does not come back.
    ending.finish_due(database, trusts_clock=False)
    assert database.keys.has(key)
    ending.finish_due(database)
    assert not database.keys.has(key)
    assert list(collecting.folder.ticket_keys.iterdir()) == []


@pytest.mark.parametrize("way", ["close", "closing", "new version"])
def test_the_key_goes_as_soon_as_no_more_tickets_are_given(
    staff: Live, draft: Draft, way: str
) -> None:
    (key,) = keys(staff)
    database = staff.services.database
    assert database.keys.has(key)
    if way == "close":
        ending.close(database, "habits")
    elif way == "closing":
        ending.begin_closing(staff.services, "habits", "1")
    else:
        publish_draft(
            staff.services, {**draft, "access": "invited", "title": "Vices"}, new_version=True
        )
    assert not database.keys.has(key)
    with pytest.raises(Exception, match="key is missing"):
        database.keys.sign(key, device_like(key))
    files = list(staff.folder.ticket_keys.iterdir())
    assert len(files) == (1 if way == "new version" else 0)


def device_like(key: str) -> str:
    return signed_by(key, f"{2:0512x}")


def test_publishing_the_same_again_keeps_the_keys_and_makes_none(staff: Live, draft: Draft) -> None:
    again = publish_draft(staff.services, {**draft, "access": "invited"})
    assert not again.created
    assert again.published.survey == staff.survey
    assert len(list(staff.folder.ticket_keys.iterdir())) == 1
    assert staff.services.database.keys.has(keys(staff)[0])


def test_a_version_that_is_refused_leaves_no_key(staff: Live, draft: Draft) -> None:
    with pytest.raises(Exception, match="--new-version"):
        publish_draft(staff.services, {**draft, "access": "invited", "title": "Vices"})
    assert len(list(staff.folder.ticket_keys.iterdir())) == 1


def test_asking_ends_the_connection_and_sets_no_cookie(staff: Live, live_open: Live) -> None:
    for server, wish in ((staff, device(staff).wish), (staff, {}), (live_open, {})):
        answer = ask_for_ticket(server, wish)
        assert answer.headers["Connection"] == "close"
        assert answer.cookies == ()
    assert "Connection" not in staff.get("/s/habits/document.json").headers


@pytest.fixture
def live_open(tmp_path: Any, draft: Draft) -> Iterator[Live]:
    with run_live(DataFolder(tmp_path / "open"), draft) as running:
        yield running
