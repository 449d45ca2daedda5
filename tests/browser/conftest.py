"""Fixtures: one real Chromium, one real server, a new device for every respondent."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright

from tests.browser.chromium import launch_options
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import HABITS

PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1280, "height": 900}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(**launch_options())
        yield running
        running.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("server"), HABITS) as running:
        yield running


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A device that has never been here."""
    device = browser.new_context(viewport=PHONE)
    device.set_default_timeout(60_000)
    yield device
    device.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()
