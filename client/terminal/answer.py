"""`answer` and `ticket`: take part in a survey in a terminal, with the page's steps and words."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from client.core.primitives.refusal import Refusal, Relayed
from client.terminal.interview import Interview, wording_for
from client.terminal.outbox import Outbox, default_folder
from client.terminal.transport import SurveyLink
from client.terminal.turn import Turn
from client.wording.catalogue import Wording
from client.wording.comparison import require_expected

F = TypeVar("F", bound=Callable[..., Any])


def _options(command: F) -> F:
    """Add what both commands take."""
    for option in (
        click.option(
            "--expect",
            metavar="FINGERPRINT",
            help="Refuse a survey whose fingerprint does not begin with these digits, at least 32.",
        ),
        click.option(
            "--language", metavar="CODE", help="Such as de; the terminal's own by default."
        ),
        click.option(
            "--outbox",
            type=click.Path(path_type=Path, file_okay=False),
            default=default_folder,
            help="Where your ticket and your randomized answers are kept until they are sent.",
        ),
        click.argument("url"),
    ):
        command = option(command)
    return command


@click.command()
@_options
def answer(url: str, outbox: Path, language: str | None, expect: str | None) -> None:
    """Answer the survey at URL. Your answers are randomized here; only the result is sent.

    A short link from a letter does not say which questions it leads to. Compare the fingerprint
    that is shown with the one in the letter, or give that one with --expect.

    A personal link is exchanged for a ticket once you agree to begin; from then on it works on this
    device only. If you send another day, the same command sends what is kept.

    A link with /t/ is the test of a draft: it says so, and you may answer it as often as you like.

    \b
    Examples:
      candor answer http://127.0.0.1:8000/s/workplace-health --language de
      candor answer 'https://surveys.example.org/s/staff#7k3mq-2xw9-pbd4r'
    """
    with _turn(url, outbox, language, expect) as turn:
        turn.answer()


@click.command()
@_options
def ticket(url: str, outbox: Path, language: str | None, expect: str | None) -> None:
    """Exchange the personal link URL for a ticket, and answer another day.

    Nobody can see from a ticket whose link it came from. What could still tell is the time:
    somebody who notes when tickets and answers arrive can join them where few people answer. So
    collect the ticket now, and answer later, from another network if you like, with
    `candor answer URL` on this device.

    \b
    Example:
      candor ticket 'https://surveys.example.org/s/staff#7k3mq-2xw9-pbd4r'
    """
    with _turn(url, outbox, language, expect) as turn:
        turn.collect()


@contextmanager
def _turn(url: str, outbox: Path, language: str | None, expect: str | None) -> Iterator[Turn]:
    """Fetch the document, without invitation, and yield the turn of somebody who may read it."""
    link = SurveyLink.parse(url)
    with _translate_refusals(wording_for(language)):
        survey = link.fetch_survey()
        if expect is not None:
            require_expected(survey.fingerprint, expect)
        interview = Interview.of(survey, language)
        if survey.test:
            say = interview.wording.say
            click.secho(f"{say('test.mark')}: {say('test.note')}", bold=True)
        yield Turn(link, Outbox(outbox), interview)


@contextmanager
def _translate_refusals(wording: Wording) -> Iterator[None]:
    """Give refusals the same words as on the page, where the page has words for them."""
    try:
        yield
    except Refusal as refusal:
        page, trouble = f"page.{refusal.code}", f"trouble.{refusal.code}"
        if wording.can_say(f"{page}.text"):
            message = f"{wording.say(f'{page}.heading')}. {wording.say(f'{page}.text')}"
        else:
            message = wording.say(trouble) if wording.can_say(trouble) else refusal.message
        raise Relayed(refusal.code, message, refusal.field) from None
