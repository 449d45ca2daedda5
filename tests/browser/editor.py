"""A researcher at the editor in a real browser: a server with an account, pages, and clicks."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, expect

from server.data_folder import DataFolder
from server.serving import running_services
from server.store.researchers import access, accounts
from server.surveys.researchers import Role
from tests.browser.axe import violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import HABITS
from tests.support.researcher import PASSWORD, password_hash

SAVED = "Saved."


@contextmanager
def editor_server(folder: Path) -> Iterator[ServerProcess]:
    """With a survey that ana owns and vic looks at."""
    with serving(folder, HABITS) as running:
        running.stop()
        with running_services(DataFolder(running.data)) as services:
            for name, role in (("ana", Role.OWNER), ("vic", Role.VIEWER)):
                services.database.write(accounts.add, name, password_hash())
                services.database.write(access.give_role, "habits", name, role)
        running.start()
        yield running


@contextmanager
def clean_page(browser: Browser, look: str) -> Iterator[Page]:
    """A page about which the browser has nothing to complain."""
    page, said = new_page(browser, look), list[str]()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    page.context.close()
    # Nothing that the policy blocks, no error of the script; what is refused is an answer.
    assert [text for text in said if "the server responded with a status" not in text] == []


def new_page(browser: Browser, look: str, scripts: bool = True) -> Page:
    scheme: Literal["light", "dark"] = "dark" if "dark" in look else "light"
    device = browser.new_context(
        viewport=PHONE if "phone" in look else DESKTOP,
        color_scheme=scheme,
        java_script_enabled=scripts,
        accept_downloads=True,
    )
    device.set_default_timeout(60_000)
    return device.new_page()


def check(page: Page) -> None:
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def log_in(page: Page, server: ServerProcess, name: str = "ana") -> None:
    page.goto(f"{server.url}/workbench")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Surveys")


def begin(page: Page, title: str) -> None:
    page.get_by_role("link", name="New survey").click()
    page.get_by_label("Title").fill(title)
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


def expect_saved(page: Page) -> None:
    expect(page.locator("#saved")).to_have_text(SAVED)
