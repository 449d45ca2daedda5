"""The page's one script in the hands of a test: its modules without the page, or changed ones."""

import re
from collections.abc import Sequence

from playwright.sync_api import Page

from client.browser.bundle import (
    BROWSER,
    ENTRY,
    HEAD,
    integrity,
    parts,
    script,
    script_file,
    survey_page,
)
from client.browser.headers import HEADERS

# Name of the module, what stands there, and what is to stand there instead.
Change = tuple[str, str, str]


def changed_script(page: Page, *changes: Change) -> None:
    """From now on the page gets another script, and vouches for it as it does for its own."""
    other = HEAD + "".join(_changed(changes).values())

    def vouch(text: str) -> str:
        return text.replace(script_file().integrity, integrity(other.encode()))

    headers = {name: vouch(value) for name, value in HEADERS.items()}
    html = vouch(survey_page().decode())
    page.route(
        re.compile(r"/client/[0-9a-f]{64}\.js(\?|$)"),
        lambda route: route.fulfill(body=other, content_type="text/javascript"),
    )
    page.route(
        re.compile(r"/s/[a-z-]+$"),
        lambda route: route.fulfill(body=html, content_type="text/html", headers=headers),
    )


def with_modules(program: str) -> str:
    """A function of `given` for the browser, with the page's modules at hand.

    It comes in as data: the policy forbids any script but the server's own.
    """
    return "\n".join(["async (given) => {", without_start(), program, "}"])


def without_start(*changes: Change) -> str:
    """The script without its last module, which looks for a page as soon as it is there."""
    *others, start = _changed(changes).values()
    before = HEAD + "".join(others)
    assert changes or before + start == script()
    return before


def _changed(changes: Sequence[Change]) -> dict[str, str]:
    """The modules by name, after the changes."""
    modules = parts(BROWSER, ENTRY)
    for name, old, new in changes:
        assert old in modules[name], f"{name} has no {old}"
        modules[name] = modules[name].replace(old, new)
    return modules
