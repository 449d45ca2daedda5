"""The Compare and Cross-table tabs in a real browser: forms without scripts, on every screen."""

from collections.abc import Iterator
from itertools import cycle
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from client.core.primitives.words import secure_hex
from estimators.simulation.kernels.source import stream
from estimators.simulation.reports import simulate_reports
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.lifecycle.hand_in import store_ballot
from server.serving import running_services
from server.store import reading
from server.store.researchers import access, accounts
from server.surveys.ballots.ballot import Ballot
from server.surveys.researchers import Role
from server.web.services import Services
from tests.browser.axe import violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.server_process import ServerProcess, serving
from tests.support.every_kind import EVERYBODY, people
from tests.support.groups import with_groups
from tests.support.researcher import PASSWORD, password_hash

DRAFT = {**EVERYBODY, "questions": [{**item, "epsilon": "0.4"} for item in EVERYBODY["questions"]]}
ARMS = ("arm-a", "arm-b", "control")
REPORTS = 120


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("analysis"), with_groups(DRAFT, *ARMS)) as running:
        running.stop()
        with running_services(DataFolder(running.data)) as services:
            services.database.write(accounts.add, "ana", password_hash())
            services.database.write(access.give_role, "kinds", "ana", Role.VIEWER)
            fill(services)
            # Groups are told apart once a survey is closed.
            ending.close(services.database, "kinds")
        running.start()
        yield running


def fill(services: Services) -> None:
    """Store simulated reports, of three groups in turn."""
    published = reading.newest(services.database.reader, "kinds")
    reports = simulate_reports(people(published.survey), REPORTS, stream(5))
    for report, code in zip(reports, cycle("012"), strict=False):
        store_ballot(services.database, Ballot(published.survey, secure_hex(4), report, code))


@pytest.fixture(params=["light on a phone", "dark on a desktop"])
def page(browser: Browser, server: ServerProcess, request: pytest.FixtureRequest) -> Iterator[Page]:
    scheme: Literal["light", "dark"] = "dark" if "dark" in request.param else "light"
    size = PHONE if "phone" in request.param else DESKTOP
    device = browser.new_context(viewport=size, color_scheme=scheme)
    device.set_default_timeout(60_000)
    page = device.new_page()
    page.goto(f"{server.url}/workbench/surveys/kinds")
    page.get_by_label("Name").fill("ana")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    yield page
    device.close()


def check(page: Page) -> None:
    page.wait_for_load_state()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_groups_are_compared_with_a_few_choices(page: Page) -> None:
    page.get_by_role("link", name="Compare").click()
    expect(page.get_by_role("heading", name="Differences")).to_be_visible()
    check(page)
    page.get_by_label("Question").select_option("Colour?")
    page.get_by_label("Compared with").select_option("control")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("main")).to_contain_text("18 comparisons were made.")
    check(page)
    page.get_by_label("Answer").select_option("a")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("main")).to_contain_text("2 comparisons were made.")
    page.get_by_label("Question").select_option("Name?")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("main")).to_contain_text("This question has 120 answers.")
    check(page)
    page.get_by_label("Question").select_option("Drinks?")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("region", name="Tests of all groups")).to_contain_text("Shape")
    check(page)
    with page.expect_download() as downloading:
        page.get_by_role("link", name="SVG: Drinks?").click()
    assert downloading.value.suggested_filename == "kinds-v1-compare-drinks.svg"


def test_questions_are_crossed_with_a_few_choices(page: Page) -> None:
    page.get_by_role("link", name="Cross-table").click()
    page.get_by_role("button", name="Show the table").click()
    expect(page.get_by_role("heading", name="Smokes? – Colour?")).to_be_visible()
    check(page)
    page.get_by_label("Rows", exact=True).select_option("Trust?")
    page.get_by_label("Columns", exact=True).select_option("Drinks?")
    page.get_by_role("button", name="Show the table").click()
    expect(page.get_by_role("alert")).to_contain_text("are both numbers")
    check(page)
    page.get_by_text("Only a part of it").first.click()
    page.get_by_label("Part of the rows").fill("4,7")
    page.get_by_role("button", name="Show the table").click()
    expect(page.get_by_role("heading", name="Means")).to_be_visible()
    expect(page.get_by_role("row", name="4 to below 7")).to_be_visible()
    check(page)
    page.get_by_label("Part of the rows").fill("")
    page.get_by_label("Rows", exact=True).select_option("Both?")
    page.get_by_label("Columns", exact=True).select_option("none")
    page.get_by_role("button", name="Show the table").click()
    expect(page.get_by_role("heading", name="A? – B?")).to_be_visible()
    check(page)
