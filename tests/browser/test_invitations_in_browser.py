"""Personal links and links of groups on a phone: used once, unknown, missing, and out of sight."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, Route, expect

from server.cli import main
from tests.browser.axe import violations
from tests.browser.respondent import (
    answer,
    begin,
    choose,
    expect_receipt,
    go_in,
    open_survey,
    press_back,
    review,
    send,
)
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import HABITS
from tests.support.groups import with_factors, with_groups

TRUTH = ["Yes", "No", "Not now"]
STAFF = {**HABITS, "slug": "staff", "access": "invited"}
ARMS = {**with_groups(HABITS), "slug": "arms"}
FACTORS = {**with_factors(HABITS), "slug": "factors"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("invitations"), HABITS, STAFF, ARMS, FACTORS) as running:
        yield running


def expect_notice(page: Page, heading: str, text: str, so_far: str = "Nothing was sent.") -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    expect(page.get_by_text(text)).to_be_visible()
    expect(page.get_by_text(so_far)).to_be_visible()
    assert page.locator("input").count() == 0
    assert violations(page) == []


def expect_begun_elsewhere(page: Page) -> None:
    """Which only the server knows, so it is not told before somebody begins."""
    begin(page)
    heading, text = "This link was begun elsewhere", "Continue there, or ask for a new link."
    expect_notice(page, heading, text, "You have not been asked anything")


def test_a_personal_link_is_good_once_and_then_says_so(
    page: Page, browser: Browser, server: ServerProcess
) -> None:
    (link,) = server.invite("staff")
    answer(page, link, TRUTH)
    assert len(server.reports("staff")) == 1
    other = browser.new_context()
    stranger = other.new_page()
    stranger.goto(link)
    expect_begun_elsewhere(stranger)
    other.close()
    # On the device itself it leads to the receipt.
    page.goto("about:blank")
    page.goto(link)
    expect(page.get_by_text("This device has already sent its answers")).to_be_visible()


def test_the_code_leaves_the_address_at_once_and_a_reload_still_has_it(
    page: Page, server: ServerProcess
) -> None:
    (link,) = server.invite("staff")
    address, code = link.split(";")
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    open_survey(page, link)
    assert page.url == address
    page.reload()
    expect(page.locator("fieldset.questions input").first).to_be_enabled()
    assert page.url == address
    choose(page, TRUTH)
    review(page)
    send(page)
    expect_receipt(page)
    assert page.evaluate("history.state") == {"isSpare": True}
    press_back(page)
    expect(page).to_have_url("about:blank")
    page.go_forward()
    expect_receipt(page)
    assert page.evaluate("history.state") is None
    assert [url for url in requested if code in url] == []
    assert code not in server.log.read_text()


def test_a_short_link_shows_what_to_compare_and_is_good_once(
    page: Page, browser: Browser, server: ServerProcess
) -> None:
    (link,) = server.invite("staff")
    address, fingerprint, code = link.replace(";", "#").split("#")
    # As somebody may type it from a letter.
    typed = f"{address}#{code.upper().replace('-', '').replace('0', 'o')}"
    page.goto(typed)
    compared = page.locator(".compare")
    expect(compared).to_contain_text("the same as in your letter")
    assert page.url == address
    page.reload()
    expect(compared).to_contain_text("the same as in your letter")
    digits = " ".join(fingerprint[place : place + 4] for place in range(0, 32, 4))
    expect(compared.locator("code")).to_have_text([address.removeprefix("http://"), digits])
    assert violations(page) == []
    go_in(page)
    assert page.url == address
    choose(page, TRUTH)
    review(page)
    send(page)
    expect_receipt(page)
    assert page.evaluate("history.state") == {"isSpare": True}
    assert code not in server.log.read_text()
    other = browser.new_context()
    stranger = other.new_page()
    stranger.goto(f"{address}#{code}")
    expect_begun_elsewhere(stranger)
    # Too short: typed without its last character.
    stranger.goto("about:blank")
    stranger.goto(f"{address}#{code[:-1]}")
    expect_notice(stranger, "This link is not known here", "or mistyped")
    other.close()


def test_no_name_of_a_list_is_on_the_server_after_inviting_and_answering(
    page: Page, server: ServerProcess, tmp_path: Path
) -> None:
    people, merged = tmp_path / "people.csv", tmp_path / "merged.csv"
    people.write_text("name,street\nZachary Quillfeather,Marmalade Row 5\n")
    files = ["--people", str(people), "--out", str(merged), "--sheet", str(tmp_path / "x.html")]
    invited = CliRunner().invoke(main, ["invite", "staff", *files, "--data", str(server.data)])
    assert invited.exit_code == 0, invited.output
    (row,) = csv.DictReader(io.StringIO(merged.read_bytes().decode("utf-8-sig")))
    before = len(server.reports("staff"))
    answer(page, row["short_link"], TRUTH)
    assert len(server.reports("staff")) == before + 1
    kept = [server.log, *(path for path in server.data.rglob("*") if path.is_file())]
    stored = b"".join(path.read_bytes() for path in kept)
    for told in ("Quillfeather", "Marmalade", row["short_link"].partition("#")[2]):
        assert told.encode() not in stored
    assert b"Quillfeather" in merged.read_bytes()


def test_a_link_without_its_code_asks_for_the_whole_link(page: Page, server: ServerProcess) -> None:
    page.goto(f"{server.url}/s/staff")
    expect_notice(page, "This survey is by invitation", "open the whole link")


def test_a_link_of_another_survey_is_not_known(page: Page, server: ServerProcess) -> None:
    (link,) = server.invite("staff")
    page.goto(link[:-1] + ("0" if link[-1] != "0" else "1"))
    begin(page)
    heading, text = "This link is not known here", "or it is incomplete"
    expect_notice(page, heading, text, "You have not been asked anything")


def test_the_group_of_a_link_is_told_and_counted(page: Page, server: ServerProcess) -> None:
    link = server.open_link("arms", "arm=arm-b")
    open_survey(page, link)
    told = "They also see the group of your link: arm-b."
    expect(page.locator(".label").get_by_text(told, exact=True)).to_be_visible()
    assert ";" not in page.url
    choose(page, TRUTH)
    review(page)
    # Exactly what is sent as it is: the words of the one factor, and of its level.
    expect(page.locator(".as-it-is h2")).to_have_text("Sent as it is, not randomized")
    expect(page.locator(".as-it-is dt")).to_have_text(["Which one?"])
    expect(page.locator(".as-it-is dd")).to_have_text(["arm-b"])
    assert violations(page) == []
    send(page)
    expect_receipt(page)
    expect(page.locator(".as-it-is dd")).to_have_text(["arm-b"])
    assert server.groups("arms") == ["1"]


def test_a_link_with_two_factors_shows_the_level_of_each(page: Page, server: ServerProcess) -> None:
    open_survey(page, server.open_link("factors", "arm=control, site=north"))
    told = "They also see the group of your link: control, north."
    expect(page.locator(".label").get_by_text(told, exact=True)).to_be_visible()
    choose(page, TRUTH)
    review(page)
    expect(page.locator(".as-it-is dt")).to_have_text(["Study arm", "Place"])
    expect(page.locator(".as-it-is dd")).to_have_text(["control", "north"])
    send(page)
    expect_receipt(page)
    assert server.groups("factors") == ["1-0"]


def test_the_plain_link_of_a_survey_with_groups_takes_no_report(
    page: Page, server: ServerProcess
) -> None:
    page.goto(f"{server.url}/s/factors")
    expect_notice(page, "This link is incomplete", "your link does not say which one is yours")
    # The page itself sees to it, whatever a server gives.
    ticket = f"{'0' * 64}.{'0' * 64}"
    page.route("**/tickets", lambda route: route.fulfill(json={"ticket": ticket}))
    page.reload()
    expect_notice(page, "This link is incomplete", "your link does not say which one is yours")


def with_group(route: Route) -> None:
    """Answer as a server would that gives every ticket a group."""
    answer = route.fetch()
    number, signature = answer.json()["ticket"].split(".")
    route.fulfill(response=answer, json={"ticket": f"{number}.north-staff.{signature}"})


@pytest.mark.parametrize(
    ("locale", "heading", "text"),
    [
        ("en-GB", "This link does not fit this survey", "Your link names a group"),
        ("de", "Dieser Link passt nicht zu dieser Umfrage", "Ihr Link nennt eine Gruppe"),
        ("es", "Este enlace no corresponde a esta encuesta", "Su enlace nombra un grupo"),
        ("ar", "هذا الرابط لا يناسب هذا الاستبيان", "يذكر رابطك مجموعة"),
    ],
)
def test_a_group_that_the_survey_does_not_declare_is_refused(
    browser: Browser, server: ServerProcess, locale: str, heading: str, text: str
) -> None:
    device = browser.new_context(locale=locale)
    page = device.new_page()
    page.route("**/tickets", with_group)
    before = len(server.reports("habits"))
    page.goto(f"{server.url}/s/habits")
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    expect(page.get_by_text(text)).to_be_visible()
    expect(page.get_by_text("north-staff")).to_have_count(0)
    assert page.locator("input").count() == 0
    assert violations(page) == []
    assert len(server.reports("habits")) == before
    device.close()


def test_a_link_without_a_group_tells_of_none(page: Page, server: ServerProcess) -> None:
    open_survey(page, f"{server.url}/s/habits")
    expect(page.locator(".label")).not_to_contain_text("group")
