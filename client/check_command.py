"""`check`: does a server serve the page that this installation contains?"""

import click

from client.checking import Finding
from client.checking import check as compare
from client.terminal import json_option, print_json
from client.transport import SurveyLink

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
    findings = list(compare(SurveyLink.parse(url)))
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
