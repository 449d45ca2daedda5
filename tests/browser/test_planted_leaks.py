"""The watch itself is watched: every leak that is planted in the page must be seen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.browser.conftest import PHONE
from tests.browser.server_process import ServerProcess
from tests.browser.sessions import run_session, warm_page
from tests.browser.wire import Wire

# What somebody could build in by mistake: script, honest text, leaking text.
LEAKS = {
    "padding": (
        "report.js",
        "randomized });",
        'randomized }) + " ".repeat(globalThis.truth ?? 0);',
    ),
    "header": (
        "transport.js",
        '"Candor-Ticket": ticket }',
        '"Candor-Ticket": ticket, "Candor-Note": `${globalThis.truth}` }',
    ),
    "extra_request": (
        "transport.js",
        "const headers =",
        "if (globalThis.truth) await fetch(this.page); const headers =",
    ),
    "another_path": ("transport.js", "/reports/${id}`", "/reports/${id}?${globalThis.truth}`"),
    "stored_draft": (
        "page/questions.js",
        "this.#answers.set(question.id, option);",
        "this.#answers.set(question.id, option); localStorage.draft = option;",
    ),
}
REMEMBER = "this.#answers.set(question.id, option);"


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_seen(browser: Browser, channel_server: ServerProcess, leak: str) -> None:
    with Wire(channel_server.port) as wire:
        device = browser.new_context(viewport=PHONE)
        page = warm_page(device, wire)
        _plant(page, channel_server, *LEAKS[leak])
        sessions = [run_session(page, wire, answer) for answer in (0, 1)]
        device.close()
    alike = len({session.shape for session in sessions}) == 1
    unstored = all(session.device["before"] == [] for session in sessions)
    assert not (alike and unstored)


def test_without_a_leak_two_sessions_are_alike(
    browser: Browser, channel_server: ServerProcess
) -> None:
    with Wire(channel_server.port) as wire:
        device = browser.new_context(viewport=PHONE)
        page = warm_page(device, wire)
        _plant(page, channel_server, "report.js", "randomized });", "randomized }) ;")
        sessions = [run_session(page, wire, answer) for answer in (0, 1)]
        device.close()
    assert len({session.shape for session in sessions}) == 1


def _plant(page: Page, server: ServerProcess, script: str, honest: str, leaking: str) -> None:
    """Serve a changed script; the truth lies where the leak finds it."""
    changes = [(script, honest, leaking)]
    if script != "page/questions.js":
        changes.append(("page/questions.js", REMEMBER, f"{REMEMBER} globalThis.truth = option;"))
    for name, old, new in changes:
        source = page.request.get(f"{server.url}/client/{name}").text()
        assert old in source, f"{name} has no {old}"
        page.route(f"**/client/{name}", _serving(source.replace(old, new)))


def _serving(source: str) -> Callable[[Route], None]:
    return lambda route: route.fulfill(body=source, content_type="text/javascript")
