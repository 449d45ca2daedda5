"""Pictures of the pages for the documentation: `python -m tests.browser.screenshots`."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, FloatRect, Page, ViewportSize, expect, sync_playwright

from client.authoring.files import read_survey_file
from server.commands.demo import RESEARCHER, add_demo_researcher, prepare
from server.data_folder import DataFolder
from server.serving import running_services
from tests.browser.chromium import launch_options
from tests.browser.respondent import agree, choose, expect_receipt, open_survey, review, send
from tests.browser.server_process import ROOT, ServerProcess, serving

FOLDER = ROOT / "docs" / "screenshots"
DEMO = ROOT / "examples" / "demo.yaml"
INVITED = "by-invitation"
TRUTH = ["Yes", "No", "No"]
# Long pages are cut here: what is below looks like what is above.
MAX_HEIGHT = 1200
PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 900, "height": 700}
WIDE: ViewportSize = {"width": 1280, "height": 1000}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        demo_server(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(**launch_options())
        server.publish({**read_survey_file(DEMO), "slug": INVITED, "access": "invited"})
        photograph(browser, server, "phone", PHONE)
        photograph(browser, server, "desktop", DESKTOP)
        photograph_workbench(browser, server)
        browser.close()


@contextmanager
def demo_server(folder: Path) -> Iterator[ServerProcess]:
    """The demonstration with its simulated reports."""
    with running_services(DataFolder(folder / "data")) as services:
        prepare(services)
    with serving(folder) as server:
        yield server


def photograph(browser: Browser, server: ServerProcess, name: str, size: ViewportSize) -> None:
    """One visit from the link to the results."""
    device = browser.new_context(viewport=size)
    page = device.new_page()
    slug = read_survey_file(DEMO)["slug"]
    page.goto(f"{server.url}/s/{slug}")
    page.locator(".consent").wait_for()
    save(page, f"consent-{name}")
    open_survey(page, f"{server.url}/s/{slug}")
    save(page, f"survey-{name}")
    choose(page, TRUTH)
    review(page)
    save(page, f"review-{name}")
    send(page)
    expect_receipt(page)
    save(page, f"receipt-{name}")
    page.goto(f"{server.url}/s/{slug}/results")
    save(page, f"results-{name}")
    page.goto(server.invite(INVITED)[0])
    agree(page)
    page.locator(".entrance").wait_for()
    save(page, f"begin-{name}")
    device.close()


def photograph_workbench(browser: Browser, server: ServerProcess) -> None:
    """What a researcher sees of the same survey."""
    slug = read_survey_file(DEMO)["slug"]
    server.stop()
    with running_services(DataFolder(server.data)) as services:
        password = add_demo_researcher(services, slug)
    server.start()
    device = browser.new_context(viewport=DESKTOP)
    page = device.new_page()
    page.goto(f"{server.url}/workbench/surveys/{slug}")
    page.get_by_label("Name").fill(RESEARCHER)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("heading", name="Status").wait_for()
    save(page, "workbench-desktop")
    page.get_by_role("link", name="Cross-table").click()
    page.get_by_role("button", name="Show the table").click()
    page.get_by_role("heading", name="Of each row").wait_for()
    save(page, "cross-table-desktop")
    page.set_viewport_size(WIDE)
    page.goto(f"{server.url}/workbench/new")
    page.get_by_label("Conduct at work").check()
    page.get_by_role("button", name="Begin with the template").click()
    page.frame_locator("iframe").get_by_role("button", name="I agree").click()
    expect(page.frame_locator("iframe").get_by_role("radio").first).to_be_attached()
    page.locator("#question-1").scroll_into_view_if_needed()
    page.locator("#question-1 .beside").scroll_into_view_if_needed()
    path = FOLDER / "editor-desktop.png"
    # As much as fits on a screen: beside the form stand the sum and the preview.
    page.screenshot(path=path)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")
    device.close()


def save(page: Page, name: str) -> None:
    width, height = page.evaluate("[innerWidth, document.documentElement.scrollHeight]")
    area: FloatRect = {"x": 0, "y": 0, "width": width, "height": min(height, MAX_HEIGHT)}
    path = FOLDER / f"{name}.png"
    page.screenshot(path=path, full_page=True, clip=area)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
