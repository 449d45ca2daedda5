"""`answer`: a survey answered in a terminal, with the same steps and words as the page."""

from pathlib import Path

import click

from client import channel, wording
from client.outbox import Outbox, Parcel, default_folder
from client.refusal import Refusal
from client.report import Report
from client.respond import respond
from client.survey import Question, Survey
from client.transport import SurveyLink
from client.wording import say
from client.words import secure_hex


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
        report = _interview(survey)
        parcel = Parcel(secure_hex(4), ticket, report.body.decode())
        parcel = device.keep(survey.fingerprint, parcel)
    else:
        click.echo(say("receipt.again" if parcel.sent else "trouble.kept"))
    _send(link, survey, device, parcel)


def _interview(survey: Survey) -> Report:
    """Explain, ask, randomize once, review; nothing has left the device when this returns."""
    _explain(survey)
    answers = {
        question.id: _ask(question, position, len(survey.questions))
        for position, question in enumerate(survey.questions, start=1)
    }
    report = respond(survey, answers)
    _review(survey, answers, report)
    click.confirm(f"\n{say('send.button')}?", abort=True)
    return report


def _explain(survey: Survey) -> None:
    click.secho(f"\n{survey.title}", bold=True)
    if survey.organizer:
        click.echo(say("by", organizer=survey.organizer))
    if survey.intro:
        click.echo(f"\n{survey.intro.strip()}")
    click.secho(f"\n{say('label.heading')}", bold=True)
    for who, seen in wording.consequences():
        click.echo(f"  {who}: {seen}")
    click.echo(f"{say('label.visible')}\n\n{say('process')}")
    click.echo(wording.whole_survey(len(survey.questions), survey.total_epsilon))
    click.echo(wording.level_sentence(survey.total_epsilon))


def _ask(question: Question, position: int, count: int) -> int:
    click.secho(f"\n{say('question.progress', position=position, count=count)}", dim=True)
    click.secho(question.prompt, bold=True)
    click.echo(" ".join(wording.odds_sentences(question)))
    for number, label in enumerate(question.options, start=1):
        click.echo(f"  {number}  {label}")
    numbers = click.IntRange(1, len(question.options))
    chosen: int = click.prompt(say("question.choose"), type=numbers)
    return chosen - 1


def _review(survey: Survey, answers: dict[str, int], report: Report) -> None:
    click.secho(f"\n{say('review.heading')}", bold=True)
    for question in survey.questions:
        chosen = question.options[answers[question.id]]
        sent = question.options[report.randomized[question.id]]
        click.echo(f"  {question.prompt}")
        click.echo(f"    {say('review.chose')}: {chosen}    {say('review.send')}: {sent}")
    click.echo(f"\n{say('review.payload')}: {report.body.decode()}")


def _send(link: SurveyLink, survey: Survey, device: Outbox, parcel: Parcel) -> None:
    try:
        link.hand_in(parcel.id, parcel.ticket, parcel.body.encode())
    except Refusal as refusal:
        kept = f"{say('trouble.kept')} " if refusal.code in ("out_of_reach", "server_error") else ""
        raise Refusal(refusal.code, f"{refusal.message}. {kept}", refusal.field) from None
    device.mark_sent(survey.fingerprint, parcel)
    click.secho(f"\n{say('receipt.heading')}", bold=True)
    click.echo(f"  {say('receipt.sent')}: {parcel.body}")
    epsilon = channel.decimal_text(survey.total_epsilon)
    cost = say("receipt.epsilon.value", epsilon=epsilon, level=wording.level(survey.total_epsilon))
    click.echo(f"  {say('receipt.epsilon')}: {cost}")
    click.echo(f"  {say('receipt.fingerprint')}: {survey.fingerprint}")
    if survey.delete_on:
        click.echo(f"  {say('receipt.delete_on')}: {survey.delete_on}")
    click.echo(f"  {say('receipt.results')}: {link.results}")
