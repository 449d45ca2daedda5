"""Unsent answers on the device: what the page offers, and what really lies there."""

import json
import time
from typing import Any

from playwright.sync_api import Locator, Page

from tests.browser.respondent import choose, open_survey

BACK = "Your unsent answers are back."
PATIENCE_SECONDS = 60
# Everything in the browser's private file system: folders as objects, files as texts.
FILES = """async () => {
  const read = async (handle) =>
    handle.kind === "file" ? (await handle.getFile()).text() : list(handle);
  const list = async (folder) => {
    const found = {};
    for await (const [name, handle] of folder.entries()) found[name] = await read(handle);
    return found;
  };
  // After what the page is writing just now.
  return navigator.locks.request("candor-unsent", async () =>
    list(await navigator.storage.getDirectory()));
}"""


def box(page: Page) -> Locator:
    return page.get_by_role("checkbox", name="Keep my unsent answers on this device")


def note(page: Page) -> Locator:
    return page.get_by_role("status").filter(has_text=BACK)


def on_device(page: Page) -> dict[str, Any]:
    """The kept answers by the name of their file."""
    files: dict[str, str] = page.evaluate(FILES).get("candor-unsent", {})
    return {name: json.loads(text)["answers"] for name, text in sorted(files.items())}


def expect_on_device(page: Page, *answers: dict[str, Any]) -> None:
    """The page keeps by itself, in a moment of its own."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (found := list(on_device(page).values())) != list(answers):
        assert time.monotonic() < deadline, f"{found} are kept"


def keep(page: Page, link: str, truth: list[str]) -> None:
    open_survey(page, link)
    box(page).check()
    choose(page, truth)
