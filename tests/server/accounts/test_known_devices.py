"""A browser that somebody has logged in with before is not locked out by what strangers guess."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from server.accounts import login, passwords
from server.accounts.login import cookie_for, known_device
from server.app import create_app
from server.data_folder import DataFolder
from server.store.researchers import accounts
from server.web.guesses import PER_GUESSER
from server.web.services import Services
from tests.support.live import Live
from tests.support.live import live as run_live
from tests.support.researcher import PASSWORD, Browser, hire, logged_in

WRONG = "wrong wrong wrong"
KEY = b"k" * 32


@pytest.fixture
def live(folder: DataFolder, draft: dict[str, Any]) -> Iterator[Live]:
    with run_live(folder, draft) as running:
        hire(running, "ana")
        hire(running, "bea")
        yield running


@pytest.fixture
def hashless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords are compared without hashing them: many guesses in no time."""
    monkeypatch.setattr(
        login, "is_right", lambda password, hash, is_known: password == PASSWORD and bool(hash)
    )


def lock(live: Live, name: str) -> None:
    """What a stranger can do to a name."""
    stranger = Browser(live)
    for _ in range(PER_GUESSER):
        assert stranger.log_in(name, WRONG).status == 403
    assert stranger.log_in(name).status == 429


@pytest.mark.usefixtures("hashless")
def test_strangers_who_guess_do_not_lock_out_a_browser_that_is_known(live: Live) -> None:
    known = logged_in(live, "ana")
    known.post("/workbench/logout")
    lock(live, "ana")
    assert known.log_in("ana").status == 303
    # That lets no stranger in.
    assert Browser(live).log_in("ana").status == 429


@pytest.mark.usefixtures("hashless")
def test_guesses_at_made_up_names_lock_no_new_browser_out(live: Live) -> None:
    stranger = Browser(live)
    token = stranger.token()
    for number in range(310):
        given = {"name": f"name-{number}", "password": WRONG}
        assert stranger.post("/workbench/login", token, **given).status == 403
    assert Browser(live).log_in("bea").status == 303


@pytest.mark.usefixtures("hashless")
def test_a_known_browser_has_guesses_of_its_own_and_no_more(live: Live) -> None:
    known = logged_in(live, "ana")
    known.post("/workbench/logout")
    statuses = [known.log_in("ana", WRONG).status for _ in range(PER_GUESSER + 1)]
    assert statuses == [403] * PER_GUESSER + [429]
    assert known.log_in("ana").status == 429
    # Nobody else has to wait for it.
    assert Browser(live).log_in("ana").status == 303


@pytest.mark.usefixtures("hashless")
def test_a_browser_is_known_for_one_name_and_one_password(live: Live) -> None:
    known = logged_in(live, "ana")
    known.post("/workbench/logout")
    lock(live, "bea")
    assert known.log_in("bea").status == 429
    live.services.database.write(accounts.change_password, "ana", "another hash")
    lock(live, "ana")
    assert known.log_in("ana").status == 429


@pytest.mark.usefixtures("hashless")
def test_a_password_can_be_changed_while_strangers_guess_and_the_browser_stays_known(
    live: Live,
) -> None:
    known = logged_in(live, "ana")
    lock(live, "ana")
    before = known.device
    new = "another horse battery"
    changed = known.post("/workbench/account/password", old=PASSWORD, new=new, again=new)
    assert changed.status == 303
    assert known.device != before
    known.post("/workbench/logout")
    assert known.log_in("ana").status == 303


def test_a_crowd_at_the_door_is_no_wrong_guess(live: Live) -> None:
    browser = Browser(live)
    with ExitStack() as crowd:
        for _ in range(passwords.MOST_AT_THE_DOOR):
            crowd.enter_context(passwords._AT_THE_DOOR)
        for _ in range(PER_GUESSER + 1):
            assert browser.log_in("ana").status == 503
    assert browser.log_in("ana").status == 303


def test_a_crowd_of_strangers_at_the_door_does_not_keep_a_known_browser_out(live: Live) -> None:
    known = logged_in(live, "ana")
    known.post("/workbench/logout")
    with ExitStack() as crowd:
        for _ in range(passwords.MOST_AT_THE_DOOR):
            crowd.enter_context(passwords._AT_THE_DOOR)
        assert Browser(live).log_in("ana").status == 503
        assert known.log_in("ana").status == 303


def test_the_cookie_is_for_the_login_alone_and_names_nobody(live: Live) -> None:
    answer = Browser(live).log_in("ana")
    (device,) = (c for c in answer.cookies if c.startswith("candor-device="))
    parts = [part for part in device.split("; ")[1:] if not part.startswith("Expires=")]
    assert sorted(parts) == [
        "HttpOnly",
        "Max-Age=15552000",
        "Path=/workbench/login",
        "SameSite=Strict",
    ]
    assert "ana" not in device.partition(";")[0]


@pytest.mark.parametrize("password", [WRONG, ""])
def test_who_is_not_let_in_gets_none(live: Live, password: str) -> None:
    assert not any("device" in cookie for cookie in Browser(live).log_in("ana", password).cookies)


def test_behind_tls_the_cookie_is_secure(services: Services) -> None:
    services.database.write(accounts.add, "ana", passwords.hash_new(PASSWORD, "ana"))
    client = create_app(services, "https://surveys.example.org").test_client()
    page = client.get("/workbench/login")
    token = page.text.split('name="csrf_token" value="')[1].split('"')[0]
    answer = client.post(
        "/workbench/login",
        data={"csrf_token": token, "name": "ana", "password": PASSWORD},
        headers={
            "Referer": "https://localhost/workbench/login",
            "Cookie": page.headers["Set-Cookie"].partition(";")[0],
        },
    )
    assert answer.status_code == 303
    (device,) = (c for c in answer.headers.getlist("Set-Cookie") if "device" in c)
    assert device.startswith("__Secure-candor-device=")
    assert "; Secure" in device


def test_a_cookie_that_was_tampered_with_is_worth_nothing() -> None:
    cookie = cookie_for(KEY, "ana", "hash")
    device, signature = cookie.split(".")
    assert known_device(KEY, cookie, "ana", "hash") == device
    assert cookie_for(KEY, "ana", "hash") != cookie
    forged = ["", device, f"{'0' * 32}.{signature}", f"{device}.{'0' * 64}", f"{cookie}0", "é"]
    for text in forged:
        assert known_device(KEY, text, "ana", "hash") is None
    for key, name, hash in (
        (b"K" * 32, "ana", "hash"),
        (KEY, "bea", "hash"),
        (KEY, "ana", "another hash"),
        (KEY, "ana", None),
    ):
        assert known_device(key, cookie, name, hash) is None
