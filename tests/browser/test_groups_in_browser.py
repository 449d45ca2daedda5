"""The group that a respondent chooses: asked first, told, changed, reviewed, and sent as it is."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from client.authoring.draft.survey import build_survey
from tests.browser.axe import violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.grouped import ARABIC, CHOSEN, choose_group, open_groups
from tests.browser.keeping import box, note, on_device
from tests.browser.respondent import agree, all_kept, card, choose, expect_receipt, review, send
from tests.browser.server_process import ServerProcess, serving
from tests.browser.wire import Sent, Wire

TRUTH = ["Yes", "No", "Not now"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("groups"), CHOSEN, ARABIC) as running:
        yield running


@pytest.fixture(params=[PHONE, DESKTOP], ids=["phone", "desktop"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    device = browser.new_context(viewport=request.param, locale="en-GB")
    device.set_default_timeout(60_000)
    yield device.new_page()
    device.close()


def fits(page: Page) -> bool:
    wide: bool = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return wide


def test_the_group_is_asked_first_told_changed_and_shown_until_the_receipt(
    page: Page, server: ServerProcess, tmp_path: Path
) -> None:
    open_groups(page, f"{server.url}/s/chosen")
    expect(page.get_by_role("heading", level=1)).to_have_text("Which describes you?")
    expect(
        page.get_by_text("This is sent as it is, so that results can be compared")
    ).to_be_visible()
    expect(page.locator("fieldset.questions")).to_have_count(0)
    expect(page.locator("input:checked, input[name]")).to_have_count(0)
    age = page.get_by_role("radiogroup", name="How old are you?")
    expect(age.get_by_role("radio")).to_have_count(3)
    expect(age.get_by_role("radio").last).to_have_accessible_name("Prefer not to say")
    assert violations(page) == []
    assert fits(page)
    # Without a choice there is no way on, and the first open factor is named.
    age.get_by_role("radio", name="Under 30").check()
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert")).to_have_text("Please choose one: Where do you work?")
    choose_group(page, "Under 30", "South")
    told = page.locator(".label")
    expect(told).to_contain_text("what you said about yourself, as it is: Under 30, South.")
    choose(page, TRUTH)
    # Going back keeps the answers, and what was chosen.
    card(page, 0)
    told.get_by_role("button", name="Change").click()
    expect(age.get_by_role("radio", name="Under 30")).to_be_checked()
    choose_group(page, "Prefer not to say", "South")
    review(page)
    expect(page.locator(".as-it-is")).to_contain_text("Sent as it is, not randomized")
    expect(page.locator(".as-it-is dd")).to_have_text(["Prefer not to say", "South"])
    assert violations(page) == []
    send(page)
    expect_receipt(page)
    expect(page.locator(".as-it-is dd")).to_have_text(["Prefer not to say", "South"])
    assert json.loads(all_kept(page)[0]["body"])["group"] == "2-1"
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save it as a file").click()
    saving.value.save_as(tmp_path / "receipt.txt")
    assert "Where do you work?: South" in (tmp_path / "receipt.txt").read_text("utf-8")


def answer(page: Page, wire: Wire, truth: list[str], *levels: str) -> list[Sent]:
    """Take part from the link to the receipt; return what was on the wire."""
    wire.take()
    open_groups(page, f"{wire.url}/s/chosen")
    choose_group(page, *levels)
    choose(page, truth)
    review(page)
    send(page)
    expect_receipt(page)
    return wire.take()


def test_nothing_but_the_group_is_in_the_clear(browser: Browser, server: ServerProcess) -> None:
    """Opposite answers and other groups: the same requests, equally long, and one other code."""
    survey = build_survey(CHOSEN)
    seen = []
    with Wire(server.port) as wire:
        for truth, levels in [
            (["Yes", "Yes", "Not now"], ("Under 30", "North")),
            (["No", "No", "This year"], ("30 or older", "Prefer not to say")),
        ]:
            device = browser.new_context(viewport=PHONE, locale="en-GB")
            seen.append(answer(device.new_page(), wire, truth, *levels))
            device.close()
    assert survey.groups
    for sent, code in zip(seen, ["0-0", "1-2"], strict=True):
        put = sent[-1]
        body = json.loads(put.body)
        assert (body.keys(), body["group"]) == ({"fingerprint", "group", "randomized"}, code)
        assert len(put.body) == survey.report_bytes
        assert not any(word in item.raw for item in sent for word in (b"North", b"Under", b"older"))
        # The code is in the report and nowhere else.
        assert not any(b'"group"' in item.raw for item in sent[:-1])
    first, second = ([item.masked for item in sent] for sent in seen)
    # Pictures and texts come in any order.
    assert sorted(first[:-1]) == sorted(second[:-1])
    assert first[-1].replace(b"0-0", b"1-2") == second[-1]


def test_the_choice_is_kept_only_with_the_answers_and_only_if_wanted(
    browser: Browser, server: ServerProcess
) -> None:
    device = browser.new_context(viewport=DESKTOP, locale="en-GB")
    page = device.new_page()
    open_groups(page, f"{server.url}/s/chosen")
    choose_group(page, "Under 30", "South")
    assert on_device(page) == {}
    assert page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") == [
        *(0, 0, "")
    ]
    box(page).check()
    choose(page, TRUTH)
    page.wait_for_function("() => !document.querySelector('[aria-busy]')")
    page.reload()
    expect(note(page)).to_be_visible()
    expect(page.locator(".label")).to_contain_text("Under 30, South")
    # Whoever forgets the answers forgets the choice, and is asked again.
    page.get_by_role("button", name="Forget them").click()
    expect(page.locator(".groups input:checked")).to_have_count(0)
    assert on_device(page) == {}
    device.close()


def test_the_page_is_mirrored_and_changes_its_language_with_the_choice(
    browser: Browser, server: ServerProcess
) -> None:
    device = browser.new_context(viewport=PHONE, locale="ar")
    page = device.new_page()
    page.goto(f"{server.url}/s/arabic")
    agree(page)
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    age = page.get_by_role("radiogroup", name="كم عمرك؟")
    expect(age.get_by_role("radio").last).to_have_accessible_name("أفضّل عدم الإجابة")
    age.get_by_role("radio", name="30 فأكثر").check()
    assert fits(page)
    assert violations(page) == []
    page.locator("label.language select").select_option("en")
    expect(page.get_by_role("radio", name="30 or older")).to_be_checked()
    choose_group(page)
    expect(page.locator(".label")).to_contain_text("30 or older")
    device.close()
