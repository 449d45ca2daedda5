"""The interview in a terminal: explain, ask, and review before anything is sent."""

import os
from dataclasses import dataclass
from typing import Any

import click

from client.asking import Asking
from client.describing import describe_answer, describe_report, odds_sentences
from client.languages import DEFAULT, INTERFACE, best, of_environment
from client.prompts import ask
from client.question import Question
from client.refusal import Refusal
from client.report import Report
from client.skipping import is_shown
from client.survey import Survey
from client.translation import Telling
from client.wording import Wording


def wording_for(wanted: str | None) -> Wording:
    """What is said to whoever names a language, or to the terminal's."""
    return Wording(best(_wishes(wanted), INTERFACE) or DEFAULT)


def _wishes(wanted: str | None) -> list[str]:
    return [wanted] if wanted else of_environment(os.environ)


@dataclass(frozen=True)
class Interview:
    """One survey in the words of one language; where it lacks it, in its own."""

    survey: Survey
    telling: Telling
    wording: Wording

    @classmethod
    def of(cls, survey: Survey, wanted: str | None = None) -> "Interview":
        """In the language that somebody names, or the one that the terminal asks for."""
        languages = _wishes(wanted)
        known = sorted({*INTERFACE, *survey.languages})
        if wanted and best(languages, known) is None:
            raise Refusal(
                "no_such_language",
                f"language must be one of {', '.join(known)}, got {wanted[:40]!r}",
                "language",
            )
        telling = survey.in_language(best(languages, survey.languages) or survey.language)
        return cls(survey, telling, wording_for(wanted))

    def explain(self, group: str = "") -> None:
        """Consequences first, then the odds of the whole survey."""
        say, total = self.wording.say, self.survey.total_epsilon
        click.secho(f"\n{self.telling.title}", bold=True)
        if self.telling.organizer:
            click.echo(say("by", organizer=self.telling.organizer))
        if self.telling.intro:
            click.echo(f"\n{self.telling.intro.strip()}")
        click.secho(f"\n{say('label.heading')}", bold=True)
        for who, seen in self.wording.consequences(total):
            click.echo(f"  {who}: {seen}")
        click.echo(say("label.visible"))
        if group:
            click.echo(say("label.group", group=group))
        click.echo(f"\n{self.wording.process(total)}")
        click.echo(self.wording.whole_survey(self.survey.asked, total))
        click.echo(self.wording.level_sentence(total))

    def ask_all(self, asking: Asking) -> dict[str, Any]:
        """The true answers to the asked questions; hidden ones answer that they do not apply."""
        asked = [item for item in self.telling.questions if item.id in asking.questions]
        answers: dict[str, Any] = {}
        for position, question in enumerate(asked, start=1):
            if is_shown(question, answers):
                self._introduce(question, position, len(asked))
                answers[question.id] = ask(question, self.wording)
            else:
                answers[question.id] = question.kind.hidden_answer
        return answers

    def review(self, answers: dict[str, Any], report: Report) -> None:
        """You chose / we will send, and the exact message."""
        say = self.wording.say
        click.secho(f"\n{say('review.heading')}", bold=True)
        for question in self.telling.questions:
            if question.id in answers and is_shown(question, answers):
                chosen = describe_answer(question, answers[question.id], self.wording)
                sent = describe_report(question, report.randomized[question.id], self.wording)
                click.echo(f"  {question.prompt}")
                click.echo(f"    {say('review.chose')}: {chosen}")
                click.echo(f"    {say('review.send')}: {sent}")
        click.echo(f"\n{say('review.payload')}: {report.body.decode()}")

    def may_send(self) -> bool:
        """The second press, without which nothing leaves."""
        say = self.wording.say
        yes, no = (
            [say(f"terminal.{word}"), say(f"option.{word}").casefold(), word[0]]
            for word in ("yes", "no")
        )
        typed = ""
        while typed not in (*yes, *no):
            prompt = f"\n{say('send.button')}? [{yes[0]}/{no[0]}]"
            typed = click.prompt(prompt, default=no[0], show_default=False).strip().casefold()
        return typed in yes

    def _introduce(self, question: Question, position: int, count: int) -> None:
        progress = self.wording.say("question.progress", position=position, count=count)
        click.secho(f"\n{progress}", dim=True)
        click.secho(question.prompt, bold=True)
        click.echo(" ".join(odds_sentences(question, self.wording)))
