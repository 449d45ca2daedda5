"""`check`: compare the page a server serves with this installation's, hash by hash."""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import click

from client.browser.bundle import catalogue, icon, script_file, style, survey_page
from client.console.printing import json_option, print_json
from client.core.primitives.refusal import Refusal
from client.core.translation import DEFAULT
from client.terminal.transport import SurveyLink
from client.wording.languages import INTERFACE

_STYLE = re.compile(rb"<style>(.*?)</style>", re.DOTALL)


@dataclass(frozen=True)
class Finding:
    """The result of one comparison: two hashes, or the reason why the served one is missing."""

    what: str
    expected: str
    served: str

    @property
    def same(self) -> bool:
        return self.served == self.expected


def compare_with_server(link: SurveyLink) -> Iterator[Finding]:
    """Compare everything that a respondent's browser fetches for a link."""
    for language in INTERFACE:
        mine = survey_page(language, link.is_test)
        yield _compared(f"page {language}", mine, partial(link.fetch_page, language))
    # The style is compared separately: a page that differs only there just looks different.
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
    """Verify the document. Its hash is its fingerprint, which the link may pin."""
    try:
        fingerprint = link.fetch_survey().fingerprint
    except Refusal as refusal:
        return Finding("document", link.fingerprint, _reason(refusal))
    return Finding("document", fingerprint, fingerprint)


def _reason(refusal: Refusal) -> str:
    """Return why the file is missing or invalid; raise if the server cannot be reached."""
    if refusal.code == "out_of_reach":
        raise refusal
    return refusal.message


def _style_in(page: bytes) -> bytes:
    found = _STYLE.search(page)
    return found[1] if found else b""


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


ADVICE = "Before you distrust the server, make sure that both have the same version of Candor."


@click.command()
@click.argument("url")
@json_option
def check(url: str, as_json: bool) -> None:
    """Compare what the survey at URL serves with what this installation contains.

    Page, style, script and texts are compared hash by hash, and the survey's document is verified.
    Exit code 1 if anything differs. It tells about this moment only: a dishonest server may give
    other visitors something else, and answering with `candor answer` needs no code of the server.

    \b
    Example:
      candor check http://127.0.0.1:8000/s/workplace-health
    """
    findings = list(compare_with_server(SurveyLink.parse(url)))
    differing = [finding for finding in findings if not finding.same]
    if as_json:
        print_json({"same": not differing, "findings": [_as_json(one) for one in findings]})
    else:
        for finding in findings:
            click.echo(_line(finding))
        click.echo(f"\n{_summary(len(differing), len(findings))}")
    if differing:
        raise SystemExit(1)


def _line(finding: Finding) -> str:
    verdict = "same   " if finding.same else "DIFFERS"
    expected = "" if finding.same or not finding.expected else f", not {finding.expected}"
    return f"{finding.what:<10}{verdict}  {finding.served}{expected}"


def _summary(differing: int, all_of_them: int) -> str:
    if differing == 0:
        return "The server serves what this installation contains."
    return f"{differing} of {all_of_them} differ. {ADVICE}"


def _as_json(finding: Finding) -> dict[str, str | bool]:
    return {
        "what": finding.what,
        "same": finding.same,
        "expected": finding.expected,
        "served": finding.served,
    }
