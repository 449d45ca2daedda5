"""The workbench in a real browser: the whole path of an owner, and pages that everybody can use."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from server.data_folder import DataFolder
from server.serving import running_services
from server.store.researchers import access, accounts
from server.surveys.researchers import Role
from server.workbench.planner.form import needing
from tests.browser.axe import violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.respondent import answer
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import HABITS
from tests.support.groups import with_groups
from tests.support.researcher import PASSWORD, password_hash


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    staff = {**HABITS, "slug": "staff", "title": "For the staff", "access": "invited"}
    arms = {**with_groups(HABITS), "slug": "arms", "title": "In three arms"}
    with serving(tmp_path_factory.mktemp("workbench"), HABITS, staff, arms) as running:
        running.stop()
        with running_services(DataFolder(running.data)) as services:
            for name in ("ana", "bea"):
                services.database.write(accounts.add, name, password_hash())
            for slug in ("habits", "staff", "arms"):
                services.database.write(access.give_role, slug, "ana", Role.OWNER)
        running.start()
        yield running


@pytest.fixture(params=["light on a phone", "dark on a desktop"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    scheme: Literal["light", "dark"] = "dark" if "dark" in request.param else "light"
    size = PHONE if "phone" in request.param else DESKTOP
    device = browser.new_context(viewport=size, color_scheme=scheme)
    device.set_default_timeout(60_000)
    page, said = device.new_page(), list[str]()
    page.on("console", lambda message: said.append(message.text))
    yield page
    device.close()
    # What the policy blocks is told on the console; a refused form is an answer like others.
    assert [text for text in said if "Content Security Policy" in text] == []


def check(page: Page) -> None:
    page.wait_for_load_state()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def copied(page: Page, place: Locator, pattern: str) -> None:
    """What the button copies is the whole text and nothing else."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    place.get_by_role("button", name="Copy").click()
    expect(place.get_by_role("button")).to_have_text("Copied")
    assert re.fullmatch(pattern, page.evaluate("navigator.clipboard.readText()"))


def log_in(page: Page, server: ServerProcess, name: str) -> None:
    page.goto(f"{server.url}/workbench")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Surveys")


def make_and_revoke_a_key(page: Page) -> None:
    page.get_by_label("What it is for").fill("A script")
    page.get_by_role("button", name="Make key").click()
    expect(page.get_by_role("status")).to_contain_text("candor_")
    check(page)
    copied(page, page.get_by_role("status"), "candor_[0-9a-f]{64}")
    page.get_by_role("button", name="Revoke A script").click()
    expect(page.get_by_role("status")).to_have_text("The key has been revoked.")


def give_and_take_a_role(page: Page) -> None:
    page.get_by_role("link", name="People").click()
    page.get_by_label("Researcher").fill("bea")
    page.get_by_label("Role", exact=True).select_option("Viewer")
    page.get_by_role("button", name="Give role").click()
    expect(page.get_by_role("status")).to_have_text("bea now has the role viewer.")
    check(page)
    page.get_by_role("button", name="Remove bea").click()
    expect(page.get_by_role("row")).to_have_count(2)
    page.get_by_role("link", name="Log", exact=True).click()
    expect(page.get_by_role("row").nth(1)).to_contain_text("took away the role of")
    check(page)


def test_an_owner_finds_the_way_and_no_page_has_a_violation(
    page: Page, server: ServerProcess
) -> None:
    page.goto(f"{server.url}/workbench/account")
    page.get_by_label("Name").fill("ana")
    page.get_by_label("Password").fill("wrong wrong wrong")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_contain_text("or the password is wrong")
    check(page)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()

    # The page that was wanted in the first place.
    expect(page.get_by_role("heading", level=1)).to_have_text("Account")
    expect(page.get_by_role("main")).to_contain_text("You are logged in as ana.")
    make_and_revoke_a_key(page)

    page.get_by_role("link", name="Surveys").click()
    # A page that is just being left cannot be looked at.
    expect(page.get_by_role("link", name="Habits at work")).to_be_visible()
    check(page)
    page.get_by_role("link", name="Habits at work").click()
    expect(page).to_have_url(f"{server.url}/workbench/surveys/habits")
    check(page)
    copied(page, page.locator(".facts div").first, f"{server.url}/s/habits#[0-9a-f]{{64}}")
    give_and_take_a_role(page)

    page.get_by_role("link", name="Overview").click()
    page.get_by_role("link", name="Close for ever").click()
    expect(page.get_by_role("link", name="Not now")).to_be_visible()
    check(page)
    page.get_by_role("link", name="Not now").click()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Log in")


def test_the_paperwork_is_read_and_its_page_loads_nothing(
    page: Page, server: ServerProcess, tmp_path: Path
) -> None:
    log_in(page, server, "ana")
    page.goto(f"{server.url}/workbench/surveys/staff")
    page.get_by_role("link", name="Paperwork").click()
    page.get_by_label("Planned respondents").fill("800")
    page.get_by_role("button", name="Fill in the plan").click()
    expect(page.get_by_text("We plan for 800 respondents.")).to_be_visible()
    check(page)
    with page.expect_download() as begun:
        page.get_by_role("link", name="Download HTML").click()
    file = tmp_path / "paperwork.html"
    begun.value.save_as(file)
    requests = list[str]()
    page.on("request", lambda request: requests.append(request.url))
    page.goto(file.as_uri())
    expect(page.get_by_role("heading", level=1)).to_have_text("Paperwork: For the staff")
    check(page)
    assert requests == [file.as_uri()]


def test_a_respondent_on_the_same_device_is_not_followed(page: Page, server: ServerProcess) -> None:
    log_in(page, server, "bea")
    with page.expect_request("**/document.json") as asked:
        page.goto(f"{server.url}/s/habits")
    assert "cookie" not in asked.value.all_headers()
    assert page.evaluate("document.cookie") == ""
    assert {(c["name"], c["path"]) for c in page.context.cookies()} == {
        ("candor", "/workbench"),
        ("candor-device", "/workbench/login"),
    }


def test_the_keyboard_skips_to_the_page(page: Page, server: ServerProcess) -> None:
    log_in(page, server, "bea")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    expect(page.get_by_role("link", name="Skip to content")).to_be_in_viewport()


def test_an_owner_makes_links_and_those_who_get_them_take_part(
    page: Page, server: ServerProcess
) -> None:
    log_in(page, server, "ana")
    page.get_by_role("link", name="For the staff").click()
    page.get_by_role("link", name="Invitations").click()
    check(page)
    page.get_by_role("spinbutton", name="How many").fill("3")
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Make links").click()
    rows = list(csv.DictReader(downloading.value.path().read_text("utf-8-sig").splitlines()))
    assert [row["group"] for row in rows] == [""] * 3
    answer(page, rows[0]["link"], ["Yes", "No", "Not now"])

    page.goto(f"{server.url}/workbench/surveys/arms/invitations")
    check(page)
    with page.expect_download() as downloading:
        page.get_by_role("link", name="QR code, SVG of arm-a").click()
    assert "<svg" in downloading.value.path().read_text()


def test_the_planner_asks_only_what_the_choice_needs(page: Page, server: ServerProcess) -> None:
    log_in(page, server, "bea")
    page.get_by_role("link", name="Planner").click()
    for choice, fields in needing().items():
        for chosen in sorted({each for needed in fields.values() for each in needed}):
            page.locator(f"#{choice}").select_option(chosen)
            shown = {name for name in fields if page.locator(f"#{name}").is_visible()}
            assert shown == {name for name, needed in fields.items() if chosen in needed}
            check(page)


def test_the_plan_is_in_view_when_it_was_asked_for(page: Page, server: ServerProcess) -> None:
    log_in(page, server, "bea")
    page.get_by_role("link", name="Planner").click()
    page.get_by_role("textbox", name="Margin").fill("2")
    page.get_by_role("button", name="Plan").click()
    # 4,997 for three points, so 9/4 of it for two.
    expect(page.get_by_role("status")).to_contain_text(
        "percentage points you need 11,243 respondents"
    )
    expect(page.get_by_role("status")).to_be_in_viewport()
    page.get_by_role("textbox", name="Margin").fill("no")
    page.get_by_role("button", name="Plan").click()
    reason = page.get_by_role("alert").filter(has=page.get_by_role("heading"))
    expect(reason).to_be_in_viewport()
    check(page)
    reason.get_by_role("link", name="Margin").click()
    expect(page.get_by_role("textbox", name="Margin")).to_be_in_viewport()
