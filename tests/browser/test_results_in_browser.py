"""The results page in a real browser: readable by everybody, on a phone, in the dark, in Arabic."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from server.data_folder import DataFolder
from server.serving import running_services
from tests.browser.axe import violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import HABITS
from tests.support.groups import with_groups
from tests.support.live import Live
from tests.support.publishing import publish_draft


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A survey with a snapshot of two groups, some shares of which are below zero."""
    folder: Path = tmp_path_factory.mktemp("results")
    data = DataFolder(folder / "data")
    with running_services(data) as services:
        survey = publish_draft(services, with_groups(HABITS)).published.survey
        Live("", data, services, survey).fill(50, "arm-b")
        Live("", data, services, survey).fill(50, "arm-a")
    with serving(folder) as running:
        yield running


@pytest.fixture(
    params=[("phone", "light", "en"), ("desktop", "dark", "de"), ("phone", "dark", "ar")],
    ids=lambda look: "-".join(look),
)
def page(browser: Browser, server: ServerProcess, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The page with everything unfolded."""
    size, scheme, language = request.param
    viewport = PHONE if size == "phone" else DESKTOP
    device = browser.new_context(viewport=viewport, color_scheme=scheme, locale=language)
    device.set_default_timeout(60_000)
    found = device.new_page()
    found.goto(f"{server.url}/s/habits/results")
    for summary in found.locator("summary").all():
        summary.click()
    yield found
    device.close()


def test_the_page_has_no_violation_and_needs_no_sideways_scrolling(page: Page) -> None:
    assert violations(page) == []
    wide, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= window


def test_every_estimated_bar_has_a_reported_one_of_the_same_length_of_track(page: Page) -> None:
    bars = page.locator("svg.bar")
    expect(bars).to_have_count(2 * page.locator(".bar-row").count())
    widths = bars.evaluate_all("bars => bars.slice(0, 4).map((bar) => bar.clientWidth)")
    assert len(set(widths)) == 1


def test_a_figure_is_downloaded_under_its_name(page: Page) -> None:
    with page.expect_download() as download:
        page.get_by_role("link", name="SVG").first.click()
    assert download.value.suggested_filename.endswith(".svg")
    assert b"<svg" in Path(download.value.path()).read_bytes()


def test_a_group_is_one_step_away_and_marked(page: Page) -> None:
    page.get_by_role("link", name="arm-a").click()
    expect(page.locator("nav [aria-current=page]")).to_have_text("arm-a")
    assert violations(page) == []
