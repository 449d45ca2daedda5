"""Is what a server serves what this installation contains? Page, script, texts, hash by hash.

It tells about this moment and these requests: a dishonest server may answer others otherwise.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from client.languages import DEFAULT, INTERFACE
from client.page import catalogue, icon, script_file, style, survey_page
from client.refusal import Refusal
from client.transport import SurveyLink

_STYLE = re.compile(rb"<style>(.*?)</style>", re.DOTALL)


@dataclass(frozen=True)
class Finding:
    """One thing that was compared: two hashes, or why the served one is not there."""

    what: str
    expected: str
    served: str

    @property
    def same(self) -> bool:
        return self.served == self.expected


def check(link: SurveyLink) -> Iterator[Finding]:
    """Compare everything that a respondent's browser gets behind a link."""
    for language in INTERFACE:
        mine = survey_page(language, link.is_test)
        yield _compared(f"page {language}", mine, partial(link.fetch_page, language))
    # A part of the page, told apart: a page that differs here only looks different.
    yield _compared("style", style().encode(), lambda: _style_in(link.fetch_page(DEFAULT)))
    texts = {f"texts {language}": catalogue(language) for language in INTERFACE}
    for what, file in {"script": script_file(), "icon": icon(), **texts}.items():
        yield _compared(what, file.content, partial(link.fetch_file, file.address))
    yield _document(link)


def _compared(what: str, mine: bytes, fetch: Callable[[], bytes]) -> Finding:
    try:
        return Finding(what, _hash(mine), _hash(fetch()))
    except Refusal as refusal:
        return Finding(what, _hash(mine), _reason(refusal))


def _document(link: SurveyLink) -> Finding:
    """Its hash is its fingerprint, which the link may pin; all the rest of it is verified."""
    try:
        fingerprint = link.fetch_survey().fingerprint
    except Refusal as refusal:
        return Finding("document", link.fingerprint, _reason(refusal))
    return Finding("document", fingerprint, fingerprint)


def _reason(refusal: Refusal) -> str:
    """What the server or the document has against it; without a server nothing can be said."""
    if refusal.code == "out_of_reach":
        raise refusal
    return refusal.message


def _style_in(page: bytes) -> bytes:
    found = _STYLE.search(page)
    return found[1] if found else b""


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
