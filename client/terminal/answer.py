"""`answer`: answer a survey in a terminal, with the same steps and words as the page."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from client.core.assignment import Assignment, draw_assignment
from client.core.completion import NO_PANEL
from client.core.primitives.refusal import Refusal, Relayed
from client.core.primitives.words import SecureWords, secure_hex
from client.core.question import Question, is_shown
from client.core.report import Report
from client.core.respond import respond
from client.core.survey import Survey
from client.core.translation import DEFAULT, LocalizedSurvey
from client.terminal.groups import check_link_group, choose_group, print_group
from client.terminal.outbox import Outbox, Parcel, default_folder
from client.terminal.prompts import ask
from client.terminal.transport import TEMPORARY, SurveyLink, group_of
from client.wording.catalogue import Wording
from client.wording.comparison import first_digits, require_expected
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
        return self._confirm(self.wording.say("consent.ask"))

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

    def print_comparison(self, address: str) -> None:
        """Print what somebody with a short link compares with their letter."""
        say = self.wording.say
        click.secho(f"\n{say('compare.heading')}", bold=True)
        click.echo(f"  {address}\n  {first_digits(self.survey.fingerprint)}")
        click.echo(say("compare.text"))

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

    def confirm_sending(self) -> bool:
        """Ask for the second confirmation, without which nothing is sent."""
        return self._confirm(f"{self.wording.say('send.button')}?")

    def _confirm(self, question: str) -> bool:
        say = self.wording.say
        yes, no = (
            [say(f"terminal.{word}"), say(f"option.{word}").casefold(), word[0]]
            for word in ("yes", "no")
        )
        typed = ""
        while typed not in (*yes, *no):
            prompt = f"\n{question} [{yes[0]}/{no[0]}]"
            typed = click.prompt(prompt, default=no[0], show_default=False).strip().casefold()
        return typed in yes

    def _introduce(self, question: Question, heading: str, position: int, count: int) -> None:
        if heading:
            click.secho(f"\n{heading}", bold=True, underline=True)
        progress = self.wording.say("question.progress", position=position, count=count)
        click.secho(f"\n{progress}", dim=True)
        click.secho(question.prompt, bold=True)
        if question.hint:
            click.echo(question.hint)
        click.echo(" ".join(odds_sentences(question, self.wording)))


@click.command()
@click.argument("url")
@click.option(
    "--outbox",
    type=click.Path(path_type=Path, file_okay=False),
    default=default_folder,
    help="Where your randomized answers are kept until they are sent.",
)
@click.option("--language", metavar="CODE", help="Such as de; the terminal's own by default.")
@click.option(
    "--expect",
    metavar="FINGERPRINT",
    help="Refuse a survey whose fingerprint does not begin with these digits, at least 32.",
)
def answer(url: str, outbox: Path, language: str | None, expect: str | None) -> None:
    """Answer the survey at URL. Your answers are randomized here; only the result is sent.

    A short link from a letter does not say which questions it leads to. Compare the fingerprint
    that is shown with the one in the letter, or give that one with --expect.

    A link with /t/ is the test of a draft: it says so, and you may answer it as often as you like.

    \b
    Examples:
      candor answer http://127.0.0.1:8000/s/workplace-health --language de
      candor answer 'https://surveys.example.org/s/staff#7k3mq-2xw9-pbd4r'
    """
    link = SurveyLink.parse(url)
    with _translate_refusals(wording_for(language)):
        _answer(link, Outbox(outbox), language, expect)


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


def _answer(link: SurveyLink, device: Outbox, language: str | None, expect: str | None) -> None:
    survey = link.fetch_survey()
    if expect is not None:
        require_expected(survey.fingerprint, expect)
    interview = Interview.of(survey, language)
    say = interview.wording.say
    if survey.test:
        click.secho(f"{say('test.mark')}: {say('test.note')}", bold=True)
    parcel = device.find(survey.fingerprint)
    if parcel is None:
        # The ticket comes first: a closed survey is refused before anybody answers anything.
        ticket = link.ask_for_ticket()
        check_link_group(survey, group_of(ticket))
        if device.has_another_version(survey.fingerprint, link.page):
            click.secho(f"\n{say('trouble.second_report')}", bold=True)
        report = _ask(link, interview, ticket)
        _require_unchanged(link, interview)
        body = report.wire(survey).decode()
        parcel = Parcel(secure_hex(4), ticket, body, survey=link.page, group=group_of(ticket))
        parcel = device.keep(survey.fingerprint, parcel)
    if parcel.sent:
        click.echo(say("receipt.again"))
    else:
        _send(link, interview, device, parcel)
    _print_receipt(link, interview, parcel)


def _ask(link: SurveyLink, interview: Interview, ticket: str) -> Report:
    """Explain, ask, randomize once and review; nothing has left the device when this returns."""
    if not interview.agree():
        raise Relayed("not_sent", interview.wording.say("trouble.nothing_sent"))
    if link.is_short:
        interview.print_comparison(link.address)
    group = interview.choose_group() or group_of(ticket)
    interview.explain(group)
    words = SecureWords()
    assignment = draw_assignment(interview.survey, ticket)
    answers = interview.ask_all(assignment)
    report = respond(interview.survey, assignment, answers, words, group)
    interview.review(answers, report, group)
    if not interview.confirm_sending():
        raise Relayed("not_sent", interview.wording.say("trouble.nothing_sent"))
    return report


def _require_unchanged(link: SurveyLink, interview: Interview) -> None:
    """Fetch the document again and raise if it has changed, before anything is kept or sent."""
    try:
        current = link.fetch_survey()
    except Refusal as refusal:
        # If the server is out of reach, the report waits on the device anyway.
        if refusal.code in TEMPORARY:
            return
        raise
    say = interview.wording.say
    if current.fingerprint != interview.survey.fingerprint:
        changed = f"{say('trouble.heading.changed')}. {say('trouble.nothing_sent')}"
        raise Relayed("changed_meanwhile", changed)


def _send(link: SurveyLink, interview: Interview, device: Outbox, parcel: Parcel) -> None:
    say, survey = interview.wording.say, interview.survey
    try:
        link.hand_in(parcel.id, parcel.ticket, parcel.body.encode())
    except Refusal as refusal:
        if refusal.code in TEMPORARY:
            click.echo(say("trouble.kept"), err=True)
        raise
    if survey.test:
        # A device may test as often as it likes.
        device.forget(survey.fingerprint)
    else:
        device.mark_sent(survey.fingerprint, parcel)
    click.secho(f"\n{say('receipt.heading')}", bold=True)


def _print_receipt(link: SurveyLink, interview: Interview, parcel: Parcel) -> None:
    wording, survey = interview.wording, interview.survey
    say, total = wording.say, survey.total_epsilon
    # Before the way out of here: it may name helplines.
    interview.print_closing()
    _print_completion(link, interview, parcel)
    click.echo(f"  {say('receipt.sent')}: {parcel.body.strip()}")
    group = _group_of(parcel)
    if group and interview.localized.groups:
        click.echo(f"  {say('groups.as_it_is')}: {interview.localized.groups.label(group)}")
    click.echo(f"  {say('receipt.guess')}: {wording.whole_survey(survey.asked, total)}")
    click.echo(f"  {say('receipt.epsilon')}: {wording.decimal(total)}")
    click.echo(f"  {say('receipt.fingerprint')}: {survey.fingerprint}")
    if survey.delete_on:
        click.echo(f"  {say('receipt.delete_on')}: {survey.delete_on}")
    click.echo(f"  {say('receipt.results')}: {link.results}")


def _group_of(parcel: Parcel) -> str:
    """Return the group that was sent: in the report if it was chosen, else with the ticket."""
    return str(json.loads(parcel.body).get("group", parcel.group))


def _print_completion(link: SurveyLink, interview: Interview, parcel: Parcel) -> None:
    """Print what a panel asks for; the parameters become a part of its link here."""
    say, completion = interview.wording.say, interview.survey.completion
    group = _group_of(parcel)
    own = completion.of_group(group)
    if own == NO_PANEL:
        return
    if own.code:
        click.echo(f"\n{say('completion.code')}: {own.code}")
    if own.redirect:
        click.echo(f"{say('completion.link')}: {own.link(link.parameters)}")
    is_own = group in dict(completion.by_group)
    click.echo(say("completion.note.group" if is_own else "completion.note"))
