"""A stray report in a real browser: the owner is asked at closing, and readers are told."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from server.data_folder import DataFolder
from server.serving import running_services
from server.store.researchers import access, accounts
from server.surveys.researchers import Role
from tests.browser.axe import violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import HABITS
from tests.support.groups import with_groups
from tests.support.live import Live
from tests.support.publishing import publish_draft
from tests.support.researcher import PASSWORD, password_hash


@pytest.fixture(params=["phone", "desktop"])
def size(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory, size: str) -> Iterator[ServerProcess]:
    """A survey of three study arms, with one report in the third."""
    folder = tmp_path_factory.mktemp(f"strays-{size}")
    data = DataFolder(folder / "data")
    with running_services(data) as services:
        database = services.database
        survey = publish_draft(services, with_groups(HABITS)).published.survey
        live = Live("", data, services, survey)
        for arm, count in (("arm-a", 100), ("arm-b", 99), ("arm-c", 1)):
            live.fill(count, arm)
        database.write(accounts.add, "ana", password_hash())
        database.write(access.give_role, survey.slug, "ana", Role.OWNER)
    with serving(folder) as running:
        yield running


@pytest.fixture
def page(browser: Browser, size: str) -> Iterator[Page]:
    device = browser.new_context(viewport=PHONE if size == "phone" else DESKTOP)
    device.set_default_timeout(60_000)
    yield device.new_page()
    device.close()


def check(page: Page) -> None:
    page.wait_for_load_state()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_owner_chooses_groups_without_the_strays(page: Page, server: ServerProcess) -> None:
    page.goto(f"{server.url}/s/habits/results")
    expect(page.get_by_text("are not counted until there are 50")).to_be_visible()
    check(page)
    page.goto(f"{server.url}/workbench")
    page.get_by_label("Name").fill("ana")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Surveys")
    page.goto(f"{server.url}/workbench/surveys/habits/steps/close")
    check(page)
    # Nothing is sent before one of the two is chosen.
    page.get_by_role("button", name="Close for ever").click()
    expect(page.get_by_text("What is to become of the strays?")).to_be_visible()
    page.get_by_role("radio", name="With groups, without the strays").check()
    page.get_by_role("button", name="Close for ever").click()
    expect(page.get_by_role("status")).to_have_text("The survey is closed for ever.")
    page.goto(f"{server.url}/workbench/surveys/habits/results")
    expect(page.get_by_text("without the strays")).to_be_visible()
    check(page)
    page.goto(f"{server.url}/s/habits/results")
    expect(page.get_by_text("so few would stand out")).to_be_visible()
    expect(page.get_by_role("link", name="arm-b")).to_be_visible()
