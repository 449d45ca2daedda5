"""What people do on a device that many of them share."""

from collections.abc import Sequence

from playwright.sync_api import Page, Response, expect

from tests.browser.respondent import choose, review, send


class Stock:
    """The tickets that a page has fetched."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._count = 0
        page.on("response", self._note)

    def _note(self, response: Response) -> None:
        self._count += response.url.endswith("/tickets")

    def wait_for(self, count: int) -> None:
        """Return once there are so many; a busy machine takes its time."""
        for _ in range(1200):
            if self._count >= count:
                return
            self._page.wait_for_timeout(50)
        raise AssertionError(f"{self._count} tickets instead of {count}")


def expect_hand_over(page: Page) -> None:
    expect(page.get_by_text("Please hand the device to the next person now.")).to_be_visible()
    assert page.locator("main input").count() == 0


def begin(page: Page) -> None:
    expect_hand_over(page)
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("fieldset.questions input").first).to_be_enabled()


def answer_as_next(page: Page, labels: Sequence[str], heading: str = "Sent. Thank you.") -> None:
    """One person's whole turn, from hand-over to hand-over."""
    begin(page)
    choose(page, labels)
    review(page)
    send(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    page.get_by_role("button", name="Done").click()
    expect_hand_over(page)
