"""The interview in a terminal: what is explained, asked and shown, in the words of the page."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click

from client.core.access import INVITED
from client.core.assignment import Assignment
from client.core.primitives.refusal import Refusal
from client.core.primitives.words import SecureWords
from client.core.question import Question, is_shown
from client.core.report import Report
from client.core.survey import Survey
from client.core.translation import DEFAULT, LocalizedSurvey
from client.terminal.groups import choose_group, print_group
from client.terminal.prompts import ask
from client.terminal.transport import SurveyLink
from client.wording.catalogue import Wording
from client.wording.comparison import first_digits
from client.wording.languages import INTERFACE, best, terminal_languages
from client.wording.markdown import parse_markdown, plain_text
from client.wording.odds import (
    describe_answer,
    describe_mark,
    describe_report,
    odds_sentences,
)
from client.wording.order import draw_order


def wording_for(wanted: str | None) -> Wording:
    """Return the texts in the wanted language, or in the one that the terminal asks for."""
    return Wording(best(_wanted_languages(wanted), INTERFACE) or DEFAULT)


def _wanted_languages(wanted: str | None) -> list[str]:
    return [wanted] if wanted else terminal_languages(os.environ)


@dataclass(frozen=True)
class Interview:
    """One survey in the respondent's language or, if it lacks that, in its own."""

    survey: Survey
    localized: LocalizedSurvey
    wording: Wording

    @classmethod
    def of(cls, survey: Survey, wanted: str | None = None) -> "Interview":
        """Choose the wanted language, or the one that the terminal asks for."""
        languages = _wanted_languages(wanted)
        known = sorted({*INTERFACE, *survey.languages})
        if wanted and best(languages, known) is None:
            raise Refusal("no_such_language", "language", known=list(known), language=wanted)
        localized = survey.in_language(best(languages, survey.languages) or survey.language)
        return cls(survey, localized, wording_for(wanted))

    def agree(self) -> bool:
        """Print what the survey asks people to agree to, and ask; without a text there is no need.

        That somebody agreed is neither sent nor stored.
        """
        if not self.localized.consent:
            return True
        click.secho(f"\n{self.localized.title}", bold=True)
        click.echo(f"\n{plain_text(parse_markdown(self.localized.consent))}\n")
        self.print_study()
        click.echo(self.wording.say("consent.note"))
        return self._confirm(self.wording.say("consent.ask").rstrip("?"))

    def print_study(self) -> None:
        """Print whom to ask about the study and who has reviewed it, as far as it says so."""
        say, localized = self.wording.say, self.localized
        if localized.contact:
            click.echo(f"{say('study.contact')}: {localized.contact}")
        if localized.ethics_reference:
            click.echo(f"{say('study.ethics')}: {localized.ethics_reference}")

    def print_closing(self) -> None:
        """Print what the survey says after sending, such as helplines."""
        if self.localized.closing:
            click.echo(f"\n{plain_text(parse_markdown(self.localized.closing))}\n")
        self.print_study()

    def print_comparison(self, link: SurveyLink) -> None:
        """Print what people compare with each other, or with their letter if the link is short."""
        if self.survey.access == INVITED or link.is_short:
            say = self.wording.say
            click.secho(f"\n{say('compare.heading')}", bold=True)
            click.echo(f"  {link.address}\n  {first_digits(self.survey.fingerprint)}")
            click.echo(say("compare.same" if link.is_short else "compare.text"))

    def print_ticket(self, group: str) -> None:
        """Print what the link is exchanged for, what could still tell, and all groups of links."""
        say, groups = self.wording.say, self.localized.groups
        click.echo(f"\n{say('ticket.lead')}")
        click.echo(f"{say('ticket.still')} {say('ticket.still.text')}")
        click.echo(say("ticket.seen"))
        if group and groups:
            labels = "; ".join(map(groups.label, groups.codes))
            click.echo(f"{say('ticket.group')}: {groups.label(group)}")
            click.echo(f"{say('ticket.groups')}: {labels}")
        click.echo(say("terminal.device"))

    def print_collected(self) -> None:
        """Print that the ticket is on this device, and from when on it can be used."""
        say, day = self.wording.say, self.survey.answer_from
        click.secho(f"\n{say('ticket.collected')}", bold=True)
        click.echo(say("terminal.come_on", day=day) if day else say("terminal.come_back"))

    def print_later(self) -> None:
        """Print that the report waits for another day."""
        click.secho(f"\n{self.wording.say('later.heading')}", bold=True)
        click.echo(self.wording.say("terminal.later.text"))

    def explain(self, group: str = "") -> None:
        """Print who can see what and how well others can guess; the maths comes last."""
        say, total = self.wording.say, self.survey.total_epsilon
        click.secho(f"\n{self.localized.title}", bold=True)
        if self.localized.organizer:
            click.echo(say("by", organizer=self.localized.organizer))
        if self.localized.intro:
            click.echo(f"\n{self.localized.intro.strip()}")
        click.secho(f"\n{say('label.heading')}", bold=True)
        for who, seen in self.wording.consequences(total):
            click.echo(f"  {who}: {seen}")
        click.echo(self.wording.whole_survey(self.survey.asked, total))
        click.echo(say("label.visible"))
        if group and self.localized.groups:
            text = "label.chosen" if self.survey.chosen_groups else "label.group"
            click.echo(say(text, group=self.localized.groups.label(group)))
        click.echo(f"\n{self.wording.process(total)}")
        click.echo(f"\n{say('maths.heading')}: {self.wording.level_sentence(total)}")

    def ask_all(self, assignment: Assignment) -> dict[str, Any]:
        """Ask the assigned questions; those hidden by skip logic answer that they do not apply."""
        answers: dict[str, Any] = {}
        # With words of its own, and never kept: it is for the eyes only.
        order = draw_order(self.survey, SecureWords())
        printed = ""
        for number in order.questions:
            question = self.localized.questions[number]
            if question.id not in assignment.questions:
                continue
            if is_shown(question, answers):
                heading = self._heading_above(number)
                new = heading if heading != printed else ""
                self._introduce(question, new, len(answers) + 1, len(assignment.questions))
                printed = heading
                answers[question.id] = ask(question, self.wording, order.options_of(question))
            else:
                answers[question.id] = question.kind.hidden_answer
        return answers

    def choose_group(self) -> str:
        """Ask for the group that is sent as it is; "" if the survey does not ask for one."""
        groups = self.localized.groups
        return choose_group(groups, self.wording) if groups and self.survey.chosen_groups else ""

    def print_group(self, group: str) -> None:
        """Print what is sent as it is, if there is a group."""
        if group and self.localized.groups:
            print_group(self.localized.groups, group, self.wording)

    def _heading_above(self, number: int) -> str:
        """Return the heading of a question's section, also if its first question is not asked."""
        headings = [question.heading for question in self.localized.questions[: number + 1]]
        return next((heading for heading in reversed(headings) if heading), "")

    def review(self, answers: dict[str, Any], report: Report, group: str) -> None:
        """Print each answer, what will be sent, what chance did, and then the exact message."""
        say = self.wording.say
        click.secho(f"\n{say('review.heading')}", bold=True)
        click.echo(f"{say('review.lead')}\n")
        questions = {question.id: question for question in self.localized.questions}
        # In the order in which they were asked.
        for question in map(questions.__getitem__, answers):
            if is_shown(question, answers):
                answer, sent = answers[question.id], report.randomized[question.id]
                chosen = describe_answer(question, answer, self.wording)
                click.echo(f"  {question.prompt}")
                click.echo(f"    {say('review.chose')}: {chosen}")
                click.echo(
                    f"    {say('review.send')}: {describe_report(question, sent, self.wording)} "
                    f"({describe_mark(question, answer, sent, self.wording)})"
                )
        self.print_group(group)
        click.echo(f"\n{say('review.payload')}: {report.body.decode()}")

    def begins(self, collects: bool) -> bool:
        """Ask whether to exchange the link for a ticket, after which it works nowhere else."""
        return self._confirm(self.wording.say("ticket.collect" if collects else "ticket.begin"))

    def choose_sending(self) -> str:
        """Ask for the second confirmation: "yes", "no" or, with personal links, "later"."""
        say, survey = self.wording.say, self.survey
        may_wait = survey.by_invitation and survey.answer_from is None
        if may_wait:
            click.echo(f"\n{say('send.later.note')}")
        words = ("yes", "no", "later") if may_wait else ("yes", "no")
        return self._choose(f"{say('send.button')}?", words)

    def _confirm(self, question: str) -> bool:
        return self._choose(f"{question}?", ("yes", "no")) == "yes"

    def _choose(self, question: str, words: Sequence[str]) -> str:
        """Ask for one of these words, in the language of the interview; an empty line is "no"."""
        spelled = {
            word: [self.wording.say(f"terminal.{word}"), *self._other_spellings(word)]
            for word in words
        }
        offered = "/".join(spellings[0] for spellings in spelled.values())
        while True:
            prompt, usual = f"\n{question} [{offered}]", spelled["no"][0]
            typed = click.prompt(prompt, default=usual, show_default=False).strip().casefold()
            for word, spellings in spelled.items():
                if typed in spellings:
                    return word

    def _other_spellings(self, word: str) -> list[str]:
        option = f"option.{word}"
        own = [self.wording.say(option).casefold()] if self.wording.can_say(option) else []
        return [*own, word[0]]

    def _introduce(self, question: Question, heading: str, position: int, count: int) -> None:
        if heading:
            click.secho(f"\n{heading}", bold=True, underline=True)
        progress = self.wording.say("question.progress", position=position, count=count)
        click.secho(f"\n{progress}", dim=True)
        click.secho(question.prompt, bold=True)
        if question.hint:
            click.echo(question.hint)
        click.echo(" ".join(odds_sentences(question, self.wording)))
