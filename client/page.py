"""The respondent's page and its files: static bytes, the same for every survey and every visitor
who reads the same language.

All that is shown is drawn by the script from the verified document; without the script there is no
form. Whoever has this code can make the same bytes and compare, and so does `candor check`.
"""

import base64
import hashlib
from dataclasses import dataclass
from functools import cache
from html import escape
from string import Template

from client.languages import DEFAULT, INTERFACE
from client.script import BROWSER, script
from client.wording import TEXTS, Wording

_TEST_MARK = '  <aside class="test-mark" aria-label="{mark}"><strong>{mark}</strong> {note}</aside>'
# In the order of the cascade.
STYLES = ("base", "survey", "report", "results", "screens")
TYPES = {
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "svg": "image/svg+xml",
}


@dataclass(frozen=True)
class File:
    """What an address holds for ever: the address is the content's hash."""

    content: bytes
    suffix: str

    @property
    def type(self) -> str:
        return TYPES[self.suffix]

    @property
    def name(self) -> str:
        return f"{hashlib.sha256(self.content).hexdigest()}.{self.suffix}"

    @property
    def address(self) -> str:
        return f"/client/{self.name}"

    @property
    def integrity(self) -> str:
        return integrity(self.content)


def integrity(content: bytes) -> str:
    """A hash as browsers write it, in pages and in policies."""
    return f"sha256-{base64.b64encode(hashlib.sha256(content).digest()).decode()}"


@cache
def style() -> str:
    """The one stylesheet. It is part of every page, so that the first answer can be painted."""
    return "\n".join((BROWSER / "style" / f"{part}.css").read_text("utf-8") for part in STYLES)


@cache
def script_file() -> File:
    return File(script().encode(), "js")


@cache
def catalogue(language: str) -> File:
    """The texts in one language."""
    return File((TEXTS / f"{language}.json").read_bytes(), "json")


@cache
def icon() -> File:
    return File((BROWSER / "icon.svg").read_bytes(), "svg")


@cache
def files() -> dict[str, File]:
    """Every file that a page asks for, by its address."""
    catalogues = (catalogue(language) for language in INTERFACE)
    return {file.address: file for file in (script_file(), icon(), *catalogues)}


@cache
def survey_page(language: str = DEFAULT, test: bool = False) -> bytes:
    """The page itself, with all that its first picture needs; `test` marks that of a draft."""
    wording = Wording(language)

    def say(key: str) -> str:
        return escape(wording.say(key))

    page = Template((BROWSER / "survey.html").read_text("utf-8")).substitute(
        language=language,
        direction=wording.direction,
        script=script_file().address,
        integrity=script_file().integrity,
        catalogues="\n".join(_catalogue_link(other, other == language) for other in INTERFACE),
        icon=icon().address,
        style=style(),
        mark=_TEST_MARK.format(mark=say("test.mark"), note=say("test.note")) if test else "",
        loading=say("loading"),
        noscript_heading=say("noscript.heading"),
        noscript_text=say("noscript.text"),
    )
    return page.encode()


def _catalogue_link(language: str, wanted: bool) -> str:
    """Where the script finds the texts of a language; those of the page's own are asked for now."""
    relation = 'rel="preload" as="fetch" crossorigin' if wanted else 'rel="alternate"'
    return f'  <link {relation} hreflang="{language}" href="{catalogue(language).address}">'
