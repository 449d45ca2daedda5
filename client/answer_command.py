"""`answer`: a survey answered in a terminal, with the same steps and words as the page."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from client.asking import draw_asking
from client.interview import Interview, wording_for
from client.outbox import Outbox, Parcel, default_folder
from client.refusal import Refusal, require
from client.report import Report
from client.respond import respond
from client.transport import PASSING, SurveyLink
from client.wording import Wording
from client.words import SecureWords, secure_hex


@click.command()
@click.argument("url")
@click.option(
    "--outbox",
    type=click.Path(path_type=Path, file_okay=False),
    default=default_folder,
    help="Where the randomized report is kept until it is sent.",
)
@click.option("--language", metavar="CODE", help="Such as de; the terminal's own by default.")
def answer(url: str, outbox: Path, language: str | None) -> None:
    """Answer the survey at URL. Your answers are randomized here; only the result is sent.

    A link with /t/ is the test of a draft: it says so, and you may answer it as often as you like.

    \b
    Example:
      candor answer http://127.0.0.1:8000/s/workplace-health --language de
    """
    link = SurveyLink.parse(url)
    with _told(wording_for(language)):
        _answer(link, Outbox(outbox), language)


@contextmanager
def _told(wording: Wording) -> Iterator[None]:
    """What goes wrong has the same words as on the page, where the page has words for it."""
    try:
        yield
    except Refusal as refusal:
        page, trouble = f"page.{refusal.code}", f"trouble.{refusal.code}"
        if wording.can_say(f"{page}.text"):
            message = f"{wording.say(f'{page}.heading')}. {wording.say(f'{page}.text')}"
        else:
            message = wording.say(trouble) if wording.can_say(trouble) else refusal.message
        raise Refusal(refusal.code, message, refusal.field) from None


def _answer(link: SurveyLink, device: Outbox, language: str | None) -> None:
    survey = link.fetch_survey()
    interview = Interview.of(survey, language)
    say = interview.wording.say
    if survey.test:
        click.secho(f"{say('test.mark')}: {say('test.note')}", bold=True)
    parcel = device.find(survey.fingerprint)
    if parcel is None:
        # The ticket comes first: a closed survey is refused before anybody is asked anything.
        ticket = link.ask_for_ticket()
        report = _ask(interview, ticket, link.group)
        _require_unchanged(link, interview)
        parcel = Parcel(secure_hex(4), ticket, report.wire(survey).decode())
        parcel = device.keep(survey.fingerprint, parcel)
    if parcel.sent:
        click.echo(say("receipt.again"))
    else:
        _send(link, interview, device, parcel)
    _print_receipt(link, interview, parcel)


def _ask(interview: Interview, ticket: str, group: str) -> Report:
    """Explain, ask, randomize once, review; nothing has left the device when this returns."""
    interview.explain(group)
    words = SecureWords()
    asking = draw_asking(interview.survey, ticket, words)
    answers = interview.ask_all(asking)
    report = respond(interview.survey, asking, answers, words)
    interview.review(answers, report)
    if not interview.may_send():
        raise Refusal("not_sent", interview.wording.say("trouble.nothing_sent"))
    return report


def _require_unchanged(link: SurveyLink, interview: Interview) -> None:
    """A last look at the document, before anything is kept or sent."""
    try:
        current = link.fetch_survey()
    except Refusal as refusal:
        # Out of reach: then the report has to wait on the device anyhow.
        if refusal.code in PASSING:
            return
        raise
    say = interview.wording.say
    require(
        current.fingerprint == interview.survey.fingerprint,
        "changed_meanwhile",
        f"{say('trouble.heading.changed')}. {say('trouble.nothing_sent')}",
    )


def _send(link: SurveyLink, interview: Interview, device: Outbox, parcel: Parcel) -> None:
    say, survey = interview.wording.say, interview.survey
    try:
        link.hand_in(parcel.id, parcel.ticket, parcel.body.encode())
    except Refusal as refusal:
        if refusal.code in PASSING:
            click.echo(say("trouble.kept"), err=True)
        raise
    if survey.test:
        # A device may test again, and again.
        device.forget(survey.fingerprint)
    else:
        device.mark_sent(survey.fingerprint, parcel)
    click.secho(f"\n{say('receipt.heading')}", bold=True)


def _print_receipt(link: SurveyLink, interview: Interview, parcel: Parcel) -> None:
    wording, survey = interview.wording, interview.survey
    say, total = wording.say, survey.total_epsilon
    click.echo(f"  {say('receipt.sent')}: {parcel.body.strip()}")
    cost = {"epsilon": wording.decimal(total), "level": wording.level(total)}
    click.echo(f"  {say('receipt.epsilon')}: {say('receipt.epsilon.value', **cost)}")
    click.echo(f"  {say('receipt.fingerprint')}: {survey.fingerprint}")
    if survey.delete_on:
        click.echo(f"  {say('receipt.delete_on')}: {survey.delete_on}")
    click.echo(f"  {say('receipt.results')}: {link.results}")
