"""One device, many people: a hand-over before and after each, one ticket each, only "sent"."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from tests.browser.axe import violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.kiosk import Stock, answer_as_next, begin, expect_hand_over
from tests.browser.respondent import (
    HandIns,
    all_kept,
    choose,
    press_back,
    press_forward,
    review,
    send,
)
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import HABITS

TRUTH, OTHER = ["Yes", "No", "Not now"], ["No", "Yes", "This year"]
CLASS = {
    **HABITS,
    "slug": "class",
    "closing": "Whom to call: **116 117**",
    "completion": {"code": "AB12", "redirect": "https://panel.example/"},
}
FIELD, SLOW = {**HABITS, "slug": "field"}, {**HABITS, "slug": "slow"}
BOTH = {
    "slug": "both",
    "title": {"en": "Habits", "de": "Gewohnheiten"},
    "delete_on": "2999-12-31",
    "epsilon": "1",
    "questions": [{"id": "asleep", "prompt": {"en": "Asleep?", "de": "Eingeschlafen?"}}],
}
ASKED = {**HABITS, "slug": "asked", "consent": "Taking part is voluntary."}
STAFF = {**HABITS, "slug": "staff", "access": "invited"}
IDLE_SECONDS, ASKING_SECONDS = 120, 60


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    drafts = (HABITS, CLASS, FIELD, SLOW, BOTH, ASKED, STAFF)
    with serving(tmp_path_factory.mktemp("kiosk"), *drafts) as running:
        yield running


@pytest.fixture(params=["phone", "tablet"])
def screen(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    device = browser.new_context(viewport=PHONE if request.param == "phone" else DESKTOP)
    device.set_default_timeout(60_000)
    yield device.new_page()
    device.close()


def test_everybody_has_a_turn_and_the_next_one_sees_only_that_something_was_sent(
    screen: Page, server: ServerProcess
) -> None:
    before = len(server.reports("class"))
    sent = HandIns(screen.context)
    tickets: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith("/reports"):
            tickets.append(request.headers["candor-ticket"])

    screen.on("request", note)
    screen.goto(f"{server.url}/s/class#;kiosk")
    expect_hand_over(screen)
    assert violations(screen) == []
    assert screen.url == f"{server.url}/s/class#"
    for labels in (TRUTH, OTHER, TRUTH):
        begin(screen)
        assert screen.get_by_text("Keep my unsent answers").count() == 0
        choose(screen, labels)
        review(screen)
        send(screen)
        expect(screen.get_by_role("heading", level=1)).to_have_text("Sent. Thank you.")
        # The closing page and the code are the same for all; what was sent is not shown.
        expect(screen.get_by_text("116 117")).to_be_visible()
        expect(screen.locator(".completion .code")).to_have_text("AB12")
        assert screen.locator(".completion a").count() == 0
        for prompt in ("asleep", "blame", "plan to leave"):
            expect(screen.locator("main")).not_to_contain_text(prompt)
        assert all_kept(screen) == []
        screen.get_by_role("button", name="Done").click()
        expect_hand_over(screen)
    assert len(server.reports("class")) == before + 3
    assert len(sent.different) == len(sent.sent) == len(set(tickets)) == 3


def test_nobody_returns_to_an_answer_or_to_a_draw_after_sending(
    page: Page, server: ServerProcess
) -> None:
    sent = HandIns(page.context)
    page.goto(f"{server.url}/s/habits")
    expect(page.locator("fieldset.questions input").first).to_be_enabled()
    page.goto(f"{server.url}/s/class#;kiosk")
    begin(page)
    choose(page, TRUTH)
    review(page)
    send(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Sent. Thank you.")
    press_back(page)
    expect(page.locator("fieldset.questions input").first).to_be_enabled()
    press_forward(page)
    expect_hand_over(page)
    page.reload()
    expect_hand_over(page)
    begin(page)
    assert page.locator("main input:checked").count() == 0
    assert len(sent.sent) == 1


def test_reports_wait_without_a_connection_and_each_is_sent_once(
    page: Page, server: ServerProcess
) -> None:
    device = page.context
    sent = HandIns(device)
    stock = Stock(page)
    page.goto(f"{server.url}/s/field#;kiosk")
    expect_hand_over(page)
    stock.wait_for(3)
    device.set_offline(True)
    later = "Thank you. It will be sent as soon as there is a connection."
    for count in (1, 2, 3):
        answer_as_next(page, TRUTH, later)
        wait = (
            "One set of randomized answers waits" if count == 1 else f"{count} sets of randomized"
        )
        expect(page.get_by_text(wait)).to_be_visible()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("3 sets of randomized")).to_be_visible()
    assert server.reports("field") == []
    # The page is closed in between: what waits is on the device.
    page.close()
    device.set_offline(False)
    again = device.new_page()
    again.goto(f"{server.url}/s/field#;kiosk")
    expect_hand_over(again)
    expect(again.get_by_text("wait on this device")).to_have_count(0)
    assert len(server.reports("field")) == 3
    assert len({url for url, _ in sent.sent}) == 3
    again.reload()
    expect_hand_over(again)
    answer_as_next(again, TRUTH)
    assert len(server.reports("field")) == 4


def test_who_walks_away_leaves_nothing_on_the_screen(page: Page, server: ServerProcess) -> None:
    page.clock.install()
    page.goto(f"{server.url}/s/habits#;kiosk")
    begin(page)
    choose(page, TRUTH)
    page.clock.run_for((IDLE_SECONDS - 1) * 1000)
    expect(page.locator("fieldset.questions")).to_be_visible()
    page.clock.run_for(2000)
    expect(page.get_by_role("heading", level=1)).to_have_text("Do you want to go on?")
    assert page.locator("main input").count() == 0
    assert violations(page) == []
    page.get_by_role("button", name="Go on").click()
    assert page.locator("main input:checked").count() == 3
    page.clock.run_for((IDLE_SECONDS + ASKING_SECONDS + 2) * 1000)
    expect_hand_over(page)
    begin(page)
    assert page.locator("main input:checked").count() == 0


def test_back_never_leaves_in_the_middle_of_a_turn(page: Page, server: ServerProcess) -> None:
    page.goto(f"{server.url}/s/class")
    page.goto(f"{server.url}/s/habits#;kiosk")
    begin(page)
    page.locator("main input").first.check()
    press_back(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Do you want to go on?")
    page.get_by_role("button", name="Go on").click()
    assert page.locator("main input:checked").count() == 1


def test_back_on_the_hand_over_screen_shows_nothing_of_anybody(
    page: Page, server: ServerProcess
) -> None:
    """It leaves for what was open before; whoever comes forward again finds the next hand-over."""
    page.goto(f"{server.url}/s/field")
    page.goto(f"{server.url}/s/habits#;kiosk")
    answer_as_next(page, TRUTH)
    press_back(page)
    page.wait_for_url("**/s/field*")
    assert page.locator("main input:checked").count() == 0
    press_forward(page)
    expect_hand_over(page)
    begin(page)
    assert page.locator("main input:checked").count() == 0
    assert all_kept(page) == []


def test_whoever_does_not_agree_gives_the_device_back(page: Page, server: ServerProcess) -> None:
    """Closing the page, as on a device of one's own, would end the turns of everybody after."""
    page.goto(f"{server.url}/s/asked#;kiosk")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".consent")).to_contain_text("press Start over and give the device back")
    expect(page.locator(".consent")).not_to_contain_text("close this page")
    page.get_by_role("button", name="Start over").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Do you want to go on?")
    page.get_by_role("button", name="Start over").click()
    expect_hand_over(page)


def test_starting_over_asks_once_and_clears_everything(page: Page, server: ServerProcess) -> None:
    page.goto(f"{server.url}/s/both#;kiosk")
    begin(page)
    page.get_by_label("Language").select_option("de")
    page.locator("main input").first.check()
    page.get_by_role("button", name="Neu beginnen").click()
    assert page.locator("main input").count() == 0
    page.get_by_role("button", name="Neu beginnen").click()
    # The language of the one before is gone, too.
    begin(page)
    assert page.locator("main input:checked").count() == 0


def test_a_report_that_is_slow_does_not_show_up_in_the_next_turn(
    page: Page, server: ServerProcess
) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/surveys/slow/reports", hold)
    page.goto(f"{server.url}/s/slow#;kiosk")
    begin(page)
    choose(page, TRUTH)
    review(page)
    send(page)
    page.get_by_role("button", name="Start over").click()
    page.get_by_role("button", name="Start over").click()
    begin(page)
    page.locator("main input").first.check()
    held[0].continue_()
    for _ in range(600):
        page.wait_for_timeout(100)
        if server.reports("slow"):
            break
    assert len(server.reports("slow")) == 1
    page.wait_for_timeout(300)
    assert page.locator("main input:checked").count() == 1


def test_a_personal_link_is_not_for_a_shared_device(page: Page, server: ServerProcess) -> None:
    (link,) = server.invite("staff")
    page.goto(f"{link};kiosk")
    expect(page.get_by_text("It cannot be used on a device that many people share")).to_be_visible()
    assert ";" not in page.url
    assert page.locator("main input").count() == 0
