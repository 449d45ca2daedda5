"""`answer`: a survey answered in a terminal, with the same steps and words as the page."""

from pathlib import Path

import click

from client import interview, wording
from client.asking import draw_asking
from client.decimals import decimal_text
from client.outbox import Outbox, Parcel, default_folder
from client.refusal import Refusal
from client.report import Report
from client.respond import respond
from client.survey import Survey
from client.transport import SurveyLink
from client.wording import say
from client.words import SecureWords, secure_hex


@click.command()
@click.argument("url")
@click.option(
    "--outbox",
    type=click.Path(path_type=Path, file_okay=False),
    default=default_folder,
    help="Where the randomized report is kept until it is sent.",
)
def answer(url: str, outbox: Path) -> None:
    """Answer the survey at URL. Your answers are randomized here; only the result is sent.

    \b
    Example:
      candor answer http://127.0.0.1:8000/s/demo
    """
    link = SurveyLink.parse(url)
    survey = link.fetch_survey()
    device = Outbox(outbox)
    parcel = device.find(survey.fingerprint)
    if parcel is None:
        # The ticket comes first: a closed survey is refused before anybody is asked anything.
        ticket = link.ask_for_ticket()
        report = _interview(survey, ticket)
        parcel = Parcel(secure_hex(4), ticket, report.wire(survey).decode())
        parcel = device.keep(survey.fingerprint, parcel)
    if parcel.sent:
        click.echo(say("receipt.again"))
    else:
        _send(link, survey, device, parcel)
    _print_receipt(link, survey, parcel)


def _interview(survey: Survey, ticket: str) -> Report:
    """Explain, ask, randomize once, review; nothing has left the device when this returns."""
    interview.explain(survey)
    words = SecureWords()
    asking = draw_asking(survey, ticket, words)
    answers = interview.ask_all(survey, asking)
    report = respond(survey, asking, answers, words)
    interview.review(survey, answers, report)
    if not click.confirm(f"\n{say('send.button')}?"):
        raise Refusal("not_sent", say("trouble.nothing_sent"))
    return report


def _send(link: SurveyLink, survey: Survey, device: Outbox, parcel: Parcel) -> None:
    try:
        link.hand_in(parcel.id, parcel.ticket, parcel.body.encode())
    except Refusal as refusal:
        kept = f"{say('trouble.kept')} " if refusal.code in ("out_of_reach", "server_error") else ""
        raise Refusal(refusal.code, f"{refusal.message}. {kept}", refusal.field) from None
    device.mark_sent(survey.fingerprint, parcel)
    click.secho(f"\n{say('receipt.heading')}", bold=True)


def _print_receipt(link: SurveyLink, survey: Survey, parcel: Parcel) -> None:
    click.echo(f"  {say('receipt.sent')}: {parcel.body.strip()}")
    epsilon = decimal_text(survey.total_epsilon)
    cost = say("receipt.epsilon.value", epsilon=epsilon, level=wording.level(survey.total_epsilon))
    click.echo(f"  {say('receipt.epsilon')}: {cost}")
    click.echo(f"  {say('receipt.fingerprint')}: {survey.fingerprint}")
    if survey.delete_on:
        click.echo(f"  {say('receipt.delete_on')}: {survey.delete_on}")
    click.echo(f"  {say('receipt.results')}: {link.results}")
