"""The interview in a terminal: explain, ask, and review before anything is sent."""

from typing import Any

import click

from client import wording
from client.asking import Asking
from client.describing import describe_answer, describe_report, odds_sentences
from client.prompts import ask
from client.question import Question
from client.report import Report
from client.skipping import is_shown
from client.survey import Survey
from client.wording import say


def explain(survey: Survey) -> None:
    """Consequences first, then the odds of the whole survey."""
    click.secho(f"\n{survey.title}", bold=True)
    if survey.organizer:
        click.echo(say("by", organizer=survey.organizer))
    if survey.intro:
        click.echo(f"\n{survey.intro.strip()}")
    click.secho(f"\n{say('label.heading')}", bold=True)
    for who, seen in wording.consequences(survey.total_epsilon):
        click.echo(f"  {who}: {seen}")
    click.echo(f"{say('label.visible')}\n\n{wording.process(survey.total_epsilon)}")
    click.echo(wording.whole_survey(survey.asked, survey.total_epsilon))
    click.echo(wording.level_sentence(survey.total_epsilon))


def ask_all(survey: Survey, asking: Asking) -> dict[str, Any]:
    """The true answers to the asked questions; hidden ones answer that they do not apply."""
    asked = [question for question in survey.questions if question.id in asking.questions]
    answers: dict[str, Any] = {}
    for position, question in enumerate(asked, start=1):
        if is_shown(question, answers):
            _introduce(question, position, len(asked))
            answers[question.id] = ask(question)
        else:
            answers[question.id] = question.kind.hidden_answer
    return answers


def review(survey: Survey, answers: dict[str, Any], report: Report) -> None:
    """You chose / we will send, and the exact message."""
    click.secho(f"\n{say('review.heading')}", bold=True)
    for question in survey.questions:
        if question.id in answers and is_shown(question, answers):
            chosen = describe_answer(question, answers[question.id])
            sent = describe_report(question, report.randomized[question.id])
            click.echo(f"  {question.prompt}")
            click.echo(f"    {say('review.chose')}: {chosen}")
            click.echo(f"    {say('review.send')}: {sent}")
    click.echo(f"\n{say('review.payload')}: {report.body.decode()}")


def _introduce(question: Question, position: int, count: int) -> None:
    click.secho(f"\n{say('question.progress', position=position, count=count)}", dim=True)
    click.secho(question.prompt, bold=True)
    click.echo(" ".join(odds_sentences(question)))
