"""What axe finds wrong with a page for people who see, hear or move differently."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page


def violations(page: Page) -> list[dict[str, Any]]:
    found = Axe().run(page).response["violations"]
    return [
        {"rule": item["id"], "where": [node["target"] for node in item["nodes"]]} for item in found
    ]
