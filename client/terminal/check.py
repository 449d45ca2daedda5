"""`check`: compare the page a server serves with this installation's, hash by hash."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import click

from client.authoring.files import read_bytes
from client.browser.bundle import catalogue, icon, script_file, style, survey_page
from client.browser.headers import FILE_HEADERS, HEADERS, unexpected
from client.console.printing import json_option, print_json
from client.core.primitives.refusal import Refusal, printable
from client.core.translation import DEFAULT
from client.terminal.transport import SurveyLink
from client.terminal.visit import Response, visit
from client.wording.languages import INTERFACE

_STYLE = re.compile(rb"<style>(.*?)</style>", re.DOTALL)
# What is said of headers that are as they should be.
AS_EXPECTED = "as expected"
PAGE, SCRIPT, JSON, ICON = (
    *("text/html; charset=utf-8", "text/javascript; charset=utf-8"),
    *("application/json", "image/svg+xml; charset=utf-8"),
)


@dataclass(frozen=True)
class Finding:
    """The result of one comparison: two hashes, or the reason why the served one is missing."""

    what: str
    expected: str
    served: str

    @property
    def same(self) -> bool:
        return self.served == self.expected


@dataclass
class Comparison:
    """Compares everything that a respondent's browser fetches for a link."""

    link: SurveyLink
    _wrong_headers: list[str] = field(default_factory=list)

    def findings(self) -> Iterator[Finding]:
        for language in INTERFACE:
            served = self._fetch(self.link.page, "document", PAGE, language)
            yield _compared(f"page {language}", survey_page(language, self.link.is_test), served)
            if language == DEFAULT:
                page = served
        # The style is compared separately: a page that differs only there just looks different.
        yield _compared("style", style().encode(), _style_in(page))
        texts = [(f"texts {one}", catalogue(one), "empty", JSON, one) for one in INTERFACE]
        for what, file, purpose, type, language in [
            ("script", script_file(), "script", SCRIPT, DEFAULT),
            ("icon", icon(), "image", ICON, DEFAULT),
            *texts,
        ]:
            served = self._fetch(f"{self.link.origin}{file.address}", purpose, type, language)
            yield _compared(what, file.content, served)
        yield self._document()
        yield Finding("headers", AS_EXPECTED, "; ".join(self._wrong_headers) or AS_EXPECTED)

    def _document(self) -> Finding:
        """Verify the document. Its hash is its fingerprint, which the link may pin."""
        served = self._fetch(self.link.document, "empty", JSON, DEFAULT)
        if isinstance(served, str):
            return Finding("document", self.link.fingerprint, served)
        try:
            fingerprint = self.link.verified(served).fingerprint
        except Refusal as refusal:
            return Finding("document", self.link.fingerprint, refusal.message)
        return Finding("document", fingerprint, fingerprint)

    def _fetch(self, url: str, purpose: str, type: str, language: str) -> bytes | str:
        """Return the body of a response, or why there is none, and note what its headers are."""
        try:
            response = visit(url, purpose, language)
        except Refusal as refusal:
            if refusal.code == "out_of_reach":
                raise
            return refusal.message
        if response.status != 200:
            return _without_page(response)
        path = urlsplit(url).path
        self._wrong_headers += [
            f"{path} ({language}): {fault}"
            for fault in unexpected(response.headers, self._expected(path, purpose, type))
        ]
        return response.body

    def _expected(self, path: str, purpose: str, type: str) -> dict[str, str]:
        is_file = purpose != "document" and path != urlsplit(self.link.document).path
        return (FILE_HEADERS if is_file else HEADERS) | {"Content-Type": type}


def compare_saved(page: bytes) -> Finding:
    """Compare a page that a browser saved with this installation's, in whichever language it is."""
    pages = [survey_page(one, test) for one in INTERFACE for test in (False, True)]
    expected = page if page in pages else survey_page(DEFAULT)
    return _compared("page", expected, page)


def _compared(what: str, mine: bytes, served: bytes | str) -> Finding:
    return Finding(what, _hash(mine), served if isinstance(served, str) else _hash(served))


def _without_page(response: Response) -> str:
    """Say what a server answered that serves nothing at this address."""
    place = next((value for name, value in response.headers if name.lower() == "location"), "")
    return f"status {response.status}{f', which leads to {place}' if place else ''}"


def _style_in(page: bytes | str) -> bytes | str:
    if isinstance(page, str):
        return page
    found = _STYLE.search(page)
    return found[1] if found else b""


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


ADVICE = "Before you distrust the server, make sure that both have the same version of Candor."
OF_THE_SERVER = "The server serves what this installation contains."
OF_THE_FILE = (
    "The saved page is what this installation contains. It names its script by its hash, "
    "so a browser runs no other."
)


@click.command()
@click.argument("url", required=False)
@click.option(
    "--saved",
    type=click.Path(path_type=Path),
    help="Compare a page that your browser saved (HTML only) instead of visiting the server.",
)
@json_option
def check(url: str | None, saved: Path | None, as_json: bool) -> None:
    """Compare what the survey at URL serves with what this installation contains.

    Page, style, script and texts are compared hash by hash, headers one by one, and the survey's
    document is verified. Exit code 1 if anything differs. The requests look like a browser's, but
    it tells about this moment only: a dishonest server may give other visitors something else. To
    compare what your own browser got, save its page and use --saved. Answering with
    `candor answer` needs no code of the server.

    \b
    Examples:
      candor check http://127.0.0.1:8000/s/workplace-health
      candor check --saved page.html
    """
    if (url is None) == (saved is None):
        raise Refusal("check_what", "url")
    if saved is not None:
        findings, praise = [compare_saved(read_bytes(saved))], OF_THE_FILE
    else:
        findings, praise = list(Comparison(SurveyLink.parse(str(url))).findings()), OF_THE_SERVER
    differing = [finding for finding in findings if not finding.same]
    if as_json:
        print_json({"same": not differing, "findings": [_as_json(one) for one in findings]})
    else:
        for finding in findings:
            click.echo(_line(finding))
        click.echo(f"\n{_summary(len(differing), len(findings)) if differing else praise}")
    if differing:
        raise SystemExit(1)


def _line(finding: Finding) -> str:
    verdict = "same   " if finding.same else "DIFFERS"
    expected = "" if finding.same or not finding.expected else f", not {finding.expected}"
    return f"{finding.what:<10}{verdict}  {printable(finding.served)}{expected}"


def _summary(differing: int, all_of_them: int) -> str:
    return f"{differing} of {all_of_them} {'differs' if differing == 1 else 'differ'}. {ADVICE}"


def _as_json(finding: Finding) -> dict[str, str | bool]:
    return {
        "what": finding.what,
        "same": finding.same,
        "expected": finding.expected,
        "served": finding.served,
    }
