"""The operator's link: it lets a researcher in once, whatever strangers guess meanwhile."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from server.cli import main
from server.data_folder import DataFolder
from server.store import audit_log
from server.store.researchers import accounts
from server.web.guesses import PER_GUESSER
from tests.support.clock import FakeClock, at
from tests.support.live import Live
from tests.support.researcher import Browser, hire, logged_in


@pytest.fixture
def live(folder: DataFolder, draft: dict[str, Any], clock: FakeClock) -> Iterator[Live]:
    with at(clock, folder, draft) as running:
        hire(running, "ana")
        hire(running, "bea")
        yield running


def link_for(live: Live, name: str) -> str:
    """Return the path of a link that the operator makes while the server runs."""
    with live.folder.announced(live.url):
        made = CliRunner().invoke(
            main, ["researcher", "link", name, "--data", str(live.folder.path), "--json"]
        )
    assert made.exit_code == 0, made.output
    parts = urlsplit(json.loads(made.output)["url"])
    assert f"{parts.scheme}://{parts.netloc}" == live.url
    return f"{parts.path}?{parts.query}"


def test_it_lets_its_researcher_in_although_strangers_guess(live: Live) -> None:
    for _ in range(PER_GUESSER):
        live.services.guesses.begin("ana")
    browser = Browser(live)
    assert browser.log_in("ana").status == 429
    path = link_for(live, "ana")
    # Looking at it spends nothing.
    assert b"Log in as ana" in browser.get(path).body
    assert not browser.is_in()
    assert browser.post(path).status == 303
    assert browser.is_in()
    # From now on this browser is known, so that the next login needs no link.
    browser.post("/workbench/logout")
    assert browser.log_in("ana").status == 303


def test_it_works_once_and_ends_other_sessions(live: Live) -> None:
    elsewhere, path = logged_in(live, "ana"), link_for(live, "ana")
    assert elsewhere.is_in()
    assert Browser(live).post(path).status == 303
    assert not elsewhere.is_in()
    again = Browser(live)
    refused = again.post(path)
    assert refused.status == 403
    assert b"has been used or is more than an hour old" in refused.body
    assert not again.is_in()


def test_it_is_void_after_an_hour(live: Live, clock: FakeClock) -> None:
    path = link_for(live, "ana")
    clock.now = f"{clock.now[:11]}{int(clock.now[11:13]) + 1:02}{clock.now[13:]}"
    assert Browser(live).post(path).status == 403


@pytest.mark.parametrize("change", ["disabled", "password", "logged out"])
def test_it_is_void_once_the_account_has_changed(live: Live, change: str) -> None:
    browser, path = logged_in(live, "ana"), link_for(live, "ana")
    database = live.services.database
    if change == "disabled":
        database.write(accounts.set_active, "ana", False)
    elif change == "password":
        database.write(accounts.change_password, "ana", "another hash")
    else:
        browser.post("/workbench/logout")
    assert Browser(live).post(path).status == 403


@pytest.mark.parametrize(
    ("part", "other"),
    [("name=ana", "name=bea"), ("until=2026", "until=2036"), ("proof=", "proof=0"), ("proof", "x")],
)
def test_it_cannot_be_bent(live: Live, part: str, other: str) -> None:
    path = link_for(live, "ana")
    assert part in path
    assert Browser(live).post(path.replace(part, other)).status == 403
    assert Browser(live).post(path).status == 303


def test_a_form_on_another_site_cannot_use_it(live: Live) -> None:
    path = link_for(live, "ana")
    assert Browser(live).post(path, token=None).status == 400
    assert Browser(live).post(path).status == 303


def test_the_log_tells_of_the_link_and_of_its_use(live: Live) -> None:
    Browser(live).post(link_for(live, "ana"))
    used, made = audit_log.entries(live.services.database.reader)[:2]
    assert (made.actor, made.action, used.actor, used.action) == (
        *("operator", "make_login_link"),
        *("ana", "use_login_link"),
    )


def test_nobody_else_makes_one(live: Live) -> None:
    live.services.database.write(accounts.set_active, "bea", False)
    with live.folder.announced(live.url):
        for name, reason in (("bea", "bea is disabled"), ("eve", "eve")):
            given = ["researcher", "link", name, "--data", str(live.folder.path)]
            refused = CliRunner().invoke(main, given)
            assert refused.exit_code == 2
            assert reason in refused.output
