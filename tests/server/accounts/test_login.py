"""Logging in and out, sessions that end, and guesses that are counted."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, Literal

import pytest
from argon2 import PasswordHasher
from flask import session

from server.accounts import login, passwords
from server.app import create_app
from server.data_folder import DataFolder
from server.serving import THREADS
from server.store.researchers import accounts
from server.web.guesses import GUESS_SECONDS, PER_GUESSER, Guesses
from server.web.services import Services
from tests.support.clock import FakeClock, at
from tests.support.live import Live
from tests.support.researcher import PASSWORD, Browser, hire, logged_in, password_hash

Draft = dict[str, Any]
WRONG = "The name or the password is wrong."


@pytest.fixture
def live(folder: DataFolder, draft: Draft, clock: FakeClock) -> Iterator[Live]:
    with at(clock, folder, draft) as running:
        hire(running, "ana")
        yield running


def test_a_researcher_logs_in_and_out(live: Live) -> None:
    browser = Browser(live)
    assert not browser.is_in()
    assert browser.log_in("ana").headers["Location"] == "/workbench"
    assert b"Surveys" in browser.get("/workbench").body
    copied = browser.cookie
    assert browser.post("/workbench/logout").status == 303
    assert not browser.is_in()
    # A copy of the cookie is worth nothing after that.
    browser.cookie = copied
    assert not browser.is_in()


@pytest.mark.parametrize(("name", "password"), [("ana", "wrong wrong wrong"), ("bea", PASSWORD)])
def test_a_wrong_name_and_a_wrong_password_read_the_same(
    live: Live, name: str, password: str
) -> None:
    answer = Browser(live).log_in(name, password)
    assert answer.status == 403
    assert WRONG in answer.body.decode()


def test_an_unknown_name_costs_the_same_hashing(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashes: list[str] = []

    class Watched(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:
            hashes.append(str(hash))
            return super().verify(hash, password)

    real = passwords.hash_new(PASSWORD, "ana")
    live.services.database.write(accounts.change_password, "ana", real)
    monkeypatch.setattr(passwords, "_HASHER", Watched())
    for name in ("ana", "nobody"):
        Browser(live).log_in(name, "wrong wrong wrong")
    known, unknown = hashes
    assert known.rsplit("$", 2)[0] == unknown.rsplit("$", 2)[0]


def test_the_hash_for_unknown_names_opens_nothing() -> None:
    assert not passwords.is_right("", None)
    assert not passwords.is_right(PASSWORD, None)
    assert passwords.is_right(PASSWORD, password_hash())
    assert not passwords.is_right(PASSWORD, "no hash at all")


def test_guesses_are_refused_before_any_hashing(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    def is_right(password: str, hash: str | None, is_known: bool) -> bool:
        tried.append(password)
        return False

    monkeypatch.setattr(login, "is_right", is_right)
    browser = Browser(live)
    statuses = [browser.log_in("ana", f"guess number {number}").status for number in range(12)]
    assert statuses == [403] * PER_GUESSER + [429, 429]
    assert len(tried) == PER_GUESSER
    monkeypatch.undo()
    # The right password has to wait as well, but nobody else has to.
    assert browser.log_in("ana").status == 429
    hire(live, "bea")
    assert browser.log_in("bea").status == 303


def test_a_crowd_at_the_door_leaves_threads_for_reports(live: Live) -> None:
    """Every hash takes its time, two at once: whoever would be one too many waits elsewhere."""
    with ExitStack() as crowd:
        for _ in range(passwords.MOST_AT_THE_DOOR):
            crowd.enter_context(passwords._AT_THE_DOOR)
        answer = Browser(live).log_in("ana")
        assert answer.status == 503
        assert b"Too many people are logging in; try again in a moment." in answer.body
        assert live.post(live.report()).status == 201
    assert Browser(live).log_in("ana").status == 303
    assert passwords.MOST_AT_THE_DOOR < THREADS / 2


class Ticks:
    """Seconds that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def refused(guesses: Guesses, name: str) -> bool:
    try:
        guesses.begin(name)
    except ValueError:
        return True
    return False


def test_guesses_are_forgotten_after_a_while_and_after_a_right_one() -> None:
    ticks = Ticks()
    guesses = Guesses(clock=ticks)
    assert [refused(guesses, "ana") for _ in range(PER_GUESSER + 1)] == [False] * PER_GUESSER + [
        True
    ]
    ticks.now = GUESS_SECONDS - 1
    assert refused(guesses, "ana")
    ticks.now = GUESS_SECONDS
    assert not refused(guesses, "ana")
    guesses.forgive("ana")
    assert [refused(guesses, "ana") for _ in range(PER_GUESSER)] == [False] * PER_GUESSER


def test_made_up_names_lock_nobody_out_and_are_forgotten() -> None:
    ticks = Ticks()
    guesses = Guesses(clock=ticks)
    assert not any(refused(guesses, f"name-{number}") for number in range(10_000))
    assert not refused(guesses, "ana")
    # A name that nobody has gets no more guesses than one that somebody has.
    assert [refused(guesses, "name-1") for _ in range(PER_GUESSER)][-2:] == [False, True]
    ticks.now = GUESS_SECONDS
    guesses.begin("bea")
    assert list(guesses._guesses) == ["bea"]


def test_guesses_that_were_not_compared_leave_nothing_behind() -> None:
    guesses = Guesses(clock=Ticks())
    guesses.begin("ana")
    for number in range(1000):
        guesses.begin(f"name-{number}")
        guesses.take_back(f"name-{number}")
    assert list(guesses._guesses) == ["ana"]


def test_a_session_ends_when_nobody_is_there(live: Live, clock: FakeClock) -> None:
    browser = logged_in(live, "ana")
    clock.now = "2026-11-20T19:59:00Z"
    assert browser.is_in()
    # Eight hours from the last click, not from the first.
    clock.now = "2026-11-21T03:58:00Z"
    assert browser.is_in()
    clock.now = "2026-11-21T11:58:01Z"
    assert not browser.is_in()


def test_a_session_ends_after_a_week_in_any_case(live: Live, clock: FakeClock) -> None:
    browser = logged_in(live, "ana")
    for day in range(20, 29):
        for hour in (0, 7, 12, 14, 21):
            clock.now = f"2026-11-{day}T{hour:02}:00:00Z"
            assert browser.is_in() == (clock.now < "2026-11-27T12:00:00Z"), clock.now


def test_a_session_ends_with_the_password_and_with_the_account(live: Live) -> None:
    database = live.services.database
    browser, other = logged_in(live, "ana"), logged_in(live, "ana")
    database.write(accounts.change_password, "ana", password_hash())
    assert not browser.is_in()
    assert not other.is_in()
    browser.log_in("ana")
    database.write(accounts.set_active, "ana", False)
    assert not browser.is_in()
    assert browser.log_in("ana").status == 403
    database.write(accounts.set_active, "ana", True)
    assert not browser.is_in()
    assert browser.log_in("ana").status == 303


def test_a_login_takes_over_nothing_of_the_session_before(live: Live) -> None:
    browser = Browser(live)
    token = browser.token()
    browser.log_in("ana")
    assert browser.post("/workbench/account/keys", token, label="x", scope="read").status == 400


@pytest.mark.parametrize(
    ("wish", "way"),
    [
        ("/workbench/account", "/workbench/account"),
        ("/workbench/surveys/habits?page=2", "/workbench/surveys/habits?page=2"),
        ("/s/habits", "/workbench"),
        ("//evil.example", "/workbench"),
        ("/\\evil.example", "/workbench"),
        ("/workbench//evil.example", "/workbench"),
        ("/workbench/\\evil.example", "/workbench"),
        ("/workbench/../s/habits", "/workbench"),
        ("/workbench/%2e%2E/s/habits", "/workbench"),
        ("/workbench/.%2e/%2fevil.example", "/workbench"),
        ("/workbench@evil.example", "/workbench"),
        ("/workbench.evil.example", "/workbench"),
        ("https://evil.example/workbench", "/workbench"),
        ("javascript:alert(1)", "/workbench"),
        ("/workbench\r\nSet-Cookie: a=b", "/workbench"),
        (" /workbench/account", "/workbench"),
    ],
)
def test_after_the_login_the_way_leads_only_to_the_workbench(
    live: Live, wish: str, way: str
) -> None:
    assert Browser(live).log_in("ana", wish=wish).headers["Location"] == way


def test_whoever_wanted_a_page_gets_it_after_the_login(live: Live) -> None:
    browser = Browser(live)
    way = browser.get("/workbench/account").headers["Location"]
    assert way == "/workbench/login?next=/workbench/account"
    answer = browser.post(way, name="ana", password=PASSWORD)
    assert answer.headers["Location"] == "/workbench/account"


def test_the_cookie_is_for_the_workbench_alone(live: Live) -> None:
    (session,) = (c for c in Browser(live).log_in("ana").cookies if c.startswith("candor="))
    assert sorted(session.split("; ")[1:]) == ["HttpOnly", "Path=/workbench", "SameSite=Lax"]


def test_behind_tls_the_cookie_is_secure_and_links_say_https(services: Services) -> None:
    client = create_app(services, "https://surveys.example.org").test_client()
    answer = client.get("/workbench/login", base_url="http://surveys.example.org")
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Secure-candor=")
    assert "; Secure" in cookie
    # Flask-WTF asks where a form comes from, and so finds out.
    form = {"csrf_token": answer.text.split('name="csrf_token" value="')[1].split('"')[0]}
    for referrer, status in (
        ("https://surveys.example.org/workbench/login", 200),
        ("https://evil.example/", 400),
        ("", 400),
    ):
        headers = {"Referer": referrer, "Cookie": cookie.partition(";")[0]}
        sent = client.post(
            "/workbench/login", data=form, headers=headers, base_url="http://surveys.example.org"
        )
        assert sent.status_code == status, referrer


def test_the_session_holds_no_address_and_no_agent(live: Live) -> None:
    browser = logged_in(live, "ana")
    app = create_app(live.services)
    with app.test_request_context("/workbench", headers={"Cookie": browser.cookie}):
        assert set(session) == {"_user_id", "_fresh", "begun", "seen"}


def test_the_key_of_sessions_is_made_once_and_is_for_its_owner_alone(live: Live) -> None:
    path = live.folder.path / "session.key"
    assert path.stat().st_mode & 0o777 == 0o600
    assert live.folder.session_key == live.services.session_key
    assert live.folder.session_key != live.folder.secret
