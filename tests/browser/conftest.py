"""Fixtures: one real Chromium, one real server, and respondents who each have a device of their own."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.chromium import launch_options
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import HABITS

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}


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
    device.set_default_timeout(10_000)
    yield device
    device.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.fixture
def habits() -> dict[str, Any]:
    """A fresh copy for tests that publish a survey of their own."""
    return dict(HABITS)
