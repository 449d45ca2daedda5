"""A panel's code and link: after sending, for everybody alike, and its parameters stay here."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.axe import violations
from tests.browser.kiosk import begin, expect_hand_over
from tests.browser.profile import files_with, profile_of
from tests.browser.respondent import (
    all_kept,
    answer,
    choose,
    expect_receipt,
    open_survey,
    review,
    send,
)
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import HABITS
from tests.browser.wire import Wire

TRUTH = ["Yes", "No", "Not now"]
PANEL = "https://panel.example/done?cc=AB12"
CANARY = "5f3aCanary77"
STUDY = {
    **HABITS,
    "closing": "Whom to call: 116 117",
    "completion": {"code": "AB12", "redirect": PANEL, "pass_on": ["PROLIFIC_PID", "SESSION"]},
}
ARMS = {
    **STUDY,
    "slug": "arms",
    "groups": {
        "by": "link",
        "factors": [{"id": "arm", "prompt": "Arm", "levels": ["Control", "Drug"]}],
    },
    "completion": {"code": "AB12", "by_group": {"Drug": {"code": "DRUG-1"}}},
}
STAFF = {**STUDY, "slug": "staff", "access": "invited"}
ONLY_CODE = {**HABITS, "slug": "only-code", "completion": {"code": "QR-77"}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("panel"), STUDY, ARMS, STAFF, ONLY_CODE) as running:
        running.rehearse(STUDY)
        yield running


def fingerprint_of(page: Page, url: str) -> str:
    return str(page.request.get(f"{url}/s/habits/privacy.json").json()["fingerprint"])


def part(page: Page) -> tuple[str, str]:
    """The code and the address of the link, as they are shown."""
    shown = page.locator(".completion")
    expect(shown).to_be_visible()
    return shown.locator(".code").inner_text(), str(shown.get_by_role("link").get_attribute("href"))


def test_the_parameters_leave_the_address_survive_a_reload_and_reach_no_server(
    page: Page, server: ServerProcess
) -> None:
    with Wire(server.port) as wire:
        link = f"{wire.url}/s/habits#{fingerprint_of(page, wire.url)}"
        page.goto(f"{link};PROLIFIC_PID={CANARY};SESSION=a%26b;email=ada")
        expect(page.locator("fieldset.questions input").first).to_be_enabled()
        assert page.url == link
        # Only what the survey passes on is remembered, and only what is safe.
        state = page.evaluate("JSON.stringify(history.state)")
        assert CANARY in state
        assert "ada" not in state
        page.reload()
        expect(page.locator("fieldset.questions input").first).to_be_enabled()
        choose(page, TRUTH)
        review(page)
        send(page)
        expect_receipt(page)
        assert part(page) == ("AB12", f"{PANEL}&PROLIFIC_PID={CANARY}")
        # Nobody leaves for the panel before they have read whom to call.
        expect(page.locator(".prose + .completion")).to_be_visible()
        expect(page.locator(".completion")).to_contain_text("brought: PROLIFIC_PID.")
        assert violations(page) == []
        page.reload()
        assert part(page) == ("AB12", f"{PANEL}&PROLIFIC_PID={CANARY}")
        assert CANARY not in str(all_kept(page))
        everything = b"".join(sent.raw for sent in wire.take())
    assert b"POST /api/surveys/habits/reports" in everything
    assert CANARY.encode() not in everything
    assert CANARY not in server.log.read_text()
    assert not any(
        CANARY.encode() in path.read_bytes() for path in server.data.rglob("*") if path.is_file()
    )


def test_pressing_the_link_tells_the_panel_nothing_else_and_the_page_forgets(
    tmp_path: Path, browser: Browser, server: ServerProcess
) -> None:
    asked: list[dict[str, str]] = []

    def panel(route: Route) -> None:
        asked.append({"url": route.request.url, **route.request.all_headers()})
        route.fulfill(body="Welcome back", content_type="text/plain")

    with profile_of(browser.browser_type, tmp_path) as device:
        page = device.new_page()
        page.route("https://panel.example/**", panel)
        answer(
            page,
            f"{server.url}/s/habits#{fingerprint_of(page, server.url)};PROLIFIC_PID={CANARY}",
            TRUTH,
        )
        page.locator(".completion").get_by_role("link").click()
        expect(page.get_by_text("Welcome back")).to_be_visible()
        assert [request["url"] for request in asked] == [f"{PANEL}&PROLIFIC_PID={CANARY}"]
        assert "referer" not in asked[0]
        page.go_back()
        # Who returns sees the code again, and the link without what the panel has by now.
        assert part(page) == ("AB12", PANEL)
        assert "carried" not in (page.evaluate("JSON.stringify(history.state)") or "")
        expect(page.get_by_text("This device has already sent its answers")).to_be_visible()
        page.goto("about:blank")
        page.goto(f"{server.url}/s/habits")
        assert part(page) == ("AB12", PANEL)
    # The browser's own history knows the address that was visited; what the page keeps does not.
    found = files_with(tmp_path, CANARY)
    assert "Default/History" in found
    assert [file for file in found if re.search("IndexedDB|Local Storage|File System", file)] == []


@pytest.mark.parametrize("order", ["{code};{pid}", "{pid};{code}"])
def test_a_personal_link_can_come_from_a_panel_too(
    page: Page, server: ServerProcess, order: str
) -> None:
    """The invitation, the parameter and the code after sending do not get in each other's way."""
    before = len(server.reports("staff"))
    address, _, code = server.invite("staff")[0].partition(";")
    carried = order.format(code=code, pid=f"PROLIFIC_PID={CANARY}")
    answer(page, f"{address};{carried}", TRUTH)
    assert part(page) == ("AB12", f"{PANEL}&PROLIFIC_PID={CANARY}")
    assert (code in page.url, CANARY in page.url) == (False, False)
    page.reload()
    assert part(page) == ("AB12", f"{PANEL}&PROLIFIC_PID={CANARY}")
    assert len(server.reports("staff")) == before + 1


def test_people_are_told_before_they_answer_what_the_panel_learns(
    page: Page, server: ServerProcess
) -> None:
    for link, told in (
        (f"{server.url}/s/habits", "if you give the panel its code or press its link. It learns w"),
        (server.open_link("arms", "arm=Drug"), "It learns when, and your group, too."),
    ):
        open_survey(page, link)
        expect(page.locator(".small-print")).to_contain_text(told)


def test_a_code_alone_has_no_link(page: Page, server: ServerProcess) -> None:
    answer(page, f"{server.url}/s/only-code", TRUTH)
    expect(page.locator(".completion .code")).to_have_text("QR-77")
    assert page.locator(".completion a").count() == 0


def test_a_draft_shows_them_too(page: Page, server: ServerProcess) -> None:
    answer(page, f"{server.url}/t/habits#;PROLIFIC_PID=x", TRUTH)
    assert part(page) == ("AB12", f"{PANEL}&PROLIFIC_PID=x")


def test_a_group_has_its_own_code_which_is_shown_again_to_those_who_come_back(
    page: Page, server: ServerProcess
) -> None:
    answer(page, server.open_link("arms", "arm=Drug"), TRUTH)
    for _ in range(2):
        expect(page.locator(".completion .code")).to_have_text("DRUG-1")
        expect(page.locator(".completion")).to_contain_text("the panel learns your group")
        page.goto("about:blank")
        page.goto(f"{server.url}/s/arms")


def test_on_a_shared_device_the_link_of_a_group_is_good_for_everybody(
    page: Page, server: ServerProcess
) -> None:
    page.goto(f"{server.open_link('arms', 'arm=Control')};kiosk")
    for _ in range(2):
        begin(page)
        expect(page.locator(".label")).to_contain_text("group")
        choose(page, TRUTH)
        review(page)
        send(page)
        expect(page.locator(".completion .code")).to_have_text("AB12")
        page.get_by_role("button", name="Done").click()
        page.reload()
    expect_hand_over(page)
    assert server.groups("arms").count("0") == 2
