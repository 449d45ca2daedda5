"""Before Begin nothing is asked for, and nobody is led in with a ticket that could mark them."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, ViewportSize, expect

from tests.browser.axe import violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.respondent import agree, begin, go_in, turns, words_in
from tests.browser.stand import CODE, HOST, JSON, Answer, Stand
from tests.browser.surveys import HABITS
from tests.browser.test_mirrored import NOT_MIRRORED
from tests.support.groups import ARMS, with_factors, with_groups
from tests.support.ticket_keys import POOL

REFUSED = "We stopped before asking you anything"
CONSENT = {**HABITS, "consent": "Do you want to take part?"}


@pytest.fixture
def stand(context: BrowserContext) -> Stand:
    return serve(context, HABITS)


def serve(context: BrowserContext, draft: dict[str, Any]) -> Stand:
    stand = Stand(draft)
    stand.serve(context)
    return stand


def expect_stop(page: Page, heading: str, text: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    expect(page.get_by_text(text)).to_be_visible()
    assert page.locator("input, button, fieldset").count() == 0
    assert violations(page) == []


def test_nothing_is_asked_for_before_somebody_presses_begin(
    context: BrowserContext, page: Page
) -> None:
    stand = serve(context, CONSENT)
    # A server could mark a visitor with it, and give each its own document.
    context.add_cookies([{"name": "mark", "value": "me", "url": HOST}])
    for visit in range(3):
        page.goto("about:blank")
        page.goto(stand.link())
        agree(page)
        expect(page.locator(".entrance")).to_be_visible()
        page.reload() if visit else page.mouse.wheel(0, 2000)
        page.keyboard.press("Enter")
    agree(page)
    expect(page.locator(".entrance")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert {request.method for request in stand.requests} == {"GET"}
    for request in stand.requests:
        assert CODE not in f"{request.url} {request.all_headers()}"
        if request.url.endswith("document.json"):
            assert stand.fingerprint not in f"{request.url} {request.all_headers()}"
            assert "cookie" not in request.all_headers()
    # With the press, exactly one thing is.
    begin(page)
    expect(page.locator("fieldset.questions input").first).to_be_enabled()
    assert [asked.keys() for asked in stand.sent("tickets")] == [{"invitation", "blinded"}]
    (asked,) = [request for request in stand.requests if request.method == "POST"]
    assert "cookie" not in asked.all_headers()


def test_the_page_says_what_the_ticket_does_and_what_could_still_tell(
    page: Page, stand: Stand
) -> None:
    page.goto(stand.link())
    said = page.locator(".entrance")
    for text in (
        "which answers came with your link",
        "the second or the address at which tickets and answers come in",
        "answer another day or from another network",
        "That you took a ticket can be seen",
        "your link works in no other",
        "In private mode, your turn is lost if you close the browser before you send",
    ):
        expect(said).to_contain_text(text)
    assert not re.search("anonym", page.content(), re.IGNORECASE)
    digits = " ".join(stand.fingerprint[place : place + 4] for place in range(0, 32, 4))
    expect(said.locator(".compare code")).to_have_text(["localhost/s/habits", digits])
    expect(said.locator(".compare")).to_contain_text("must be the same for everybody")
    # Not a page of small print: as much as the top of the questions.
    assert words_in(said.inner_text()) <= 170
    assert violations(page) == []


@pytest.mark.parametrize(
    ("draft", "code", "group", "others"),
    [
        (with_groups(HABITS), "1", "arm-b", list(ARMS)),
        (
            with_factors(HABITS),
            "1-0",
            "control, north",
            ["treatment, north", "treatment, south", "control, north", "control, south"],
        ),
    ],
)
def test_the_group_of_the_link_and_all_others_are_named_before_begin(
    context: BrowserContext,
    page: Page,
    draft: dict[str, Any],
    code: str,
    group: str,
    others: list[str],
) -> None:
    stand = serve(context, draft)
    # As somebody may type it, and as it is sent.
    typed = f"{code.replace('-', '')}-7K3MQ-2xw9-pbd4r"
    page.goto(f"{HOST}/s/habits#{typed}")
    expect(page.locator(".entrance dd")).to_have_text([group])
    expect(page.locator(".entrance li")).to_have_text(others)
    expect(page.locator(".entrance .compare")).to_contain_text("the same as in your letter")
    assert violations(page) == []
    go_in(page)
    (asked,) = stand.sent("tickets")
    assert asked["invitation"] == typed
    (kept,) = turns(page)
    assert kept["ticket"].split(".")[1] == code
    expect(page.locator(".label")).to_contain_text(f"the group of your link: {group}.")


def test_a_link_of_no_group_of_this_survey_is_not_used(context: BrowserContext, page: Page) -> None:
    stand = serve(context, with_groups(HABITS))
    for code, heading in (
        (f"7{CODE}", "This link does not fit this survey"),
        (CODE, "This link is not known here"),
    ):
        page.goto("about:blank")
        page.goto(stand.link(code))
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    assert stand.sent("tickets") == []


def test_a_link_without_its_code_is_told_so_without_asking(page: Page, stand: Stand) -> None:
    page.goto(f"{HOST}/s/habits")
    expect_stop(page, "This survey is by invitation", "open the whole link")
    assert stand.sent("tickets") == []


def other(stand: Stand, change: Callable[[str], Any]) -> Callable[[Request], Answer | None]:
    """A server that changes what it has signed before it answers."""

    def answer(request: Request) -> Answer | None:
        honest = stand.honest(request)
        if not request.url.endswith("/tickets"):
            return honest
        changed = change(json.loads(honest["body"])["signed"])
        return {"status": 200, "headers": JSON, "body": json.dumps(changed)}

    return answer


def number(text: str, plus: int = 0) -> str:
    return f"{int(text, 16) + plus:0512x}"


@pytest.mark.parametrize(
    "change",
    [
        lambda signed: {"signed": number(signed, 1)},
        lambda signed: {"signed": number(signed, POOL[0].modulus)},
        lambda signed: {"signed": f"{POOL[0].modulus - int(signed, 16):0512x}"},
        lambda signed: {"signed": signed.upper()},
        lambda signed: {"signed": signed[1:]},
        lambda signed: {"signed": int(signed, 16)},
        lambda signed: {"signed": signed, "note": "you"},
        lambda _: {"signed": "0" * 512},
        lambda _: {},
        lambda _: None,
    ],
    ids="one more,modulus more,negative,upper case,short,number,two keys,zero,none,null".split(","),
)
def test_what_was_not_signed_with_the_published_key_stops_with_a_clear_page(
    page: Page, stand: Stand, change: Callable[[str], Any]
) -> None:
    stand.answer = other(stand, change)
    page.goto(stand.link())
    begin(page)
    expect_stop(page, REFUSED, "did not stamp your ticket with the key that it has published")
    # The same again leads to the same; nothing else is ever sent for this link.
    page.reload()
    begin(page)
    expect_stop(page, REFUSED, "It may be trying to mark you")
    first, again = stand.sent("tickets")
    assert first == again
    assert stand.sent("reports") == []


def test_a_key_of_another_person_is_noticed_whoever_signs(page: Page, stand: Stand) -> None:
    """A server that signs with a key of one person alone, and hopes to know the ticket again."""

    def answer(request: Request) -> Answer | None:
        if not request.url.endswith("/tickets"):
            return stand.honest(request)
        signed = POOL[1].sign(json.loads(request.post_data or "")["blinded"])
        return {"status": 201, "headers": JSON, "body": json.dumps({"signed": signed})}

    stand.answer = answer
    page.goto(stand.link())
    begin(page)
    expect_stop(page, REFUSED, "Please tell the organizer, and others.")


def test_a_key_that_would_tell_stops_and_is_never_tried_again(
    context: BrowserContext, page: Page
) -> None:
    stand = Stand(HABITS, key=f"{3 * (2**2046 + 2**2045 // 3 * 2 + 1):0512x}")
    stand.serve(context)
    # Words whose number is a multiple of three, as this key is: it has no inverse.
    page.add_init_script("Crypto.prototype.getRandomValues = (words) => words.fill(3)")
    page.goto(stand.link())
    begin(page)
    expect_stop(page, REFUSED, "The key that this survey stamps its tickets with is not sound")
    page.close()
    # Other values might do; trying until they do would choose them.
    for _ in range(8):
        again = context.new_page()
        again.goto(stand.link())
        begin(again)
        expect_stop(again, REFUSED, "It could give away whose answers are whose")
        again.close()
    assert stand.sent("tickets") == []


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        ({"": "0" * 512}, "bad_ticket_key"),
        ({"": POOL[0].public.upper()}, "bad_ticket_key"),
        ({"": POOL[0].public, "a": POOL[1].public}, "bad_ticket_key"),
        ({}, "bad_ticket_key"),
    ],
)
def test_a_document_with_bad_keys_is_refused_before_begin(
    page: Page, stand: Stand, keys: dict[str, str], code: str
) -> None:
    document = json.loads(stand.document) | {"ticket_keys": keys}
    stand.document = json.dumps(
        document, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    ).encode()
    page.goto(f"{HOST}/s/habits#{CODE}")
    expect(page.get_by_role("heading", level=1)).to_have_text(REFUSED)
    expect(page.locator(".trouble")).to_contain_text(
        "The key that this survey stamps its tickets with is not sound"
    )
    assert code == "bad_ticket_key"
    assert stand.sent("tickets") == []


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_every_page_on_the_way_is_its_own_mirror_image_and_needs_no_mouse(
    browser: Browser, size: ViewportSize
) -> None:
    device = browser.new_context(viewport=size)
    stand = serve(device, with_factors(HABITS))
    page = device.new_page()
    page.goto(stand.link(f"01{CODE}"))
    for name in ("Only collect my ticket", "Answer now"):
        button = page.get_by_role("button", name=name)
        button.focus()
        assert page.evaluate(NOT_MIRRORED) == []
        page.keyboard.press("Enter")
        expect(button).to_have_count(0)
    device.close()


@pytest.mark.parametrize("language", ["de", "es", "ar"])
def test_the_page_before_begin_speaks_four_languages(browser: Browser, language: str) -> None:
    device = browser.new_context(locale=language, viewport={"width": 320, "height": 640})
    stand = serve(device, {**with_groups(HABITS), "answer_from": "2999-03-01", "delete_on": ""})
    page = device.new_page()
    page.goto(stand.link(f"1{CODE}"))
    expect(page.locator(".entrance .button")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("html").get_attribute("dir") == ("rtl" if language == "ar" else "ltr")
    assert violations(page) == []
    begin(page)
    expect(page.locator(".entrance .button")).to_have_count(0)
    expect(page.locator(".entrance .lead")).to_contain_text("2999")
    assert violations(page) == []
    device.close()
