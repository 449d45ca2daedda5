"""One person's turn at a survey: what is kept on the device, and its steps in their order.

The order matters. A ticket is asked for only after somebody agreed to begin, whatever is sent is on
disk before, and after the report is stored only its receipt stays.
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime

import click

from client.core.access import INVITED
from client.core.assignment import draw_assignment
from client.core.completion import NO_PANEL
from client.core.primitives.refusal import Refusal, Relayed, require
from client.core.primitives.words import SecureWords
from client.core.report import Report
from client.core.respond import respond
from client.core.survey import Survey
from client.terminal.groups import check_link_group, group_of_code
from client.terminal.interview import Interview
from client.terminal.outbox import Outbox, Parcel
from client.terminal.tickets import TicketPocket, get_ticket
from client.terminal.transport import TEMPORARY, SurveyLink, group_of


def today() -> str:
    """Return the day, as documents write it; it decides what is shown, and is never sent."""
    return datetime.now(UTC).date().isoformat()


@dataclass(frozen=True)
class Turn:
    """A link, what this device keeps for its survey, and the interview about it."""

    link: SurveyLink
    outbox: Outbox
    interview: Interview

    @property
    def _survey(self) -> Survey:
        return self.interview.survey

    @property
    def _pocket(self) -> TicketPocket:
        return TicketPocket(self.outbox.folder)

    def collect(self) -> None:
        """Get a ticket with a personal link, and leave the answers for another day."""
        require(self._survey.access == INVITED, "no_tickets.collect", "url")
        if self.outbox.find(self._survey.fingerprint) is None:
            self._begin(collects=True)
            self.interview.print_collected()
        else:
            click.echo(self.interview.wording.say("receipt.again"))

    def answer(self) -> None:
        """Begin, ask, randomize once, review, keep and hand in; or continue where it stopped."""
        day, parcel = self._survey.answer_from, self.outbox.find(self._survey.fingerprint)
        waits = False
        if parcel is None:
            if day is not None and today() < day:
                self.collect()
                return
            parcel, waits = self._answer_now()
        # The report takes the ticket along.
        self._pocket.forget(self._survey.fingerprint)
        if waits:
            self.interview.print_later()
            return
        if parcel.sent:
            click.echo(self.interview.wording.say("receipt.again"))
        else:
            self._send(parcel)
        self._print_receipt(parcel)

    def _answer_now(self) -> tuple[Parcel, bool]:
        """Return the report that this device keeps, and whether it is to wait for another day."""
        ticket, group = self._begin(collects=False)
        report = self._ask(ticket, group)
        sending = self.interview.choose_sending()
        if sending == "no":
            raise self._nothing_sent()
        self._require_unchanged()
        body = report.wire(self._survey).decode()
        parcel = Parcel(ticket, body, survey=self.link.page, group=group_of(ticket))
        return self.outbox.keep(self._survey.fingerprint, parcel), sending == "later"

    def _begin(self, collects: bool) -> tuple[str, str]:
        """Explain, and return the ticket and the group that is sent as it is.

        On an open survey the ticket comes first: one that is closed then explains nothing. A
        personal link is only used up after somebody agreed.
        """
        interview, survey, personal = self.interview, self._survey, self._survey.access == INVITED
        ticket = "" if personal else get_ticket(self.link, survey, self._pocket)
        if ticket:
            check_link_group(survey, group_of(ticket))
        own = self._group_of_link() if personal else group_of(ticket)
        self._warn_of_second_version()
        if not interview.agree():
            raise self._nothing_sent()
        interview.print_comparison(self.link)
        group = own if collects else interview.choose_group() or own
        interview.explain(group)
        if personal:
            if self._pocket.ticket(survey.fingerprint) is None:
                interview.print_ticket(own)
                if not interview.begins(collects):
                    raise self._nothing_sent()
            ticket = get_ticket(self.link, survey, self._pocket)
        return ticket, group

    def _group_of_link(self) -> str:
        """Return the group of what is kept, or else of the link."""
        fingerprint, code = self._survey.fingerprint, self.link.invitation
        ticket = self._pocket.ticket(fingerprint)
        if ticket is not None:
            return group_of(ticket)
        asked = self._pocket.asked(fingerprint, code)
        return group_of_code(self._survey, asked.invitation if asked else code)

    def _warn_of_second_version(self) -> None:
        if self.outbox.has_another_version(self._survey.fingerprint, self.link.page):
            click.secho(f"\n{self.interview.wording.say('trouble.second_report')}", bold=True)

    def _ask(self, ticket: str, group: str) -> Report:
        """Ask, randomize once and review; no answer has left the device when this returns."""
        words = SecureWords()
        assignment = draw_assignment(self._survey, ticket)
        answers = self.interview.ask_all(assignment)
        report = respond(self._survey, assignment, answers, words, group)
        self.interview.review(answers, report, group)
        return report

    def _nothing_sent(self) -> Refusal:
        return Relayed("not_sent", self.interview.wording.say("trouble.nothing_sent"))

    def _require_unchanged(self) -> None:
        """Fetch the document again and raise if it has changed, before anything is kept or sent."""
        try:
            current = self.link.fetch_survey()
        except Refusal as refusal:
            # If the server is out of reach, the report waits on the device anyway.
            if refusal.code in TEMPORARY:
                return
            raise
        say = self.interview.wording.say
        if current.fingerprint != self._survey.fingerprint:
            changed = f"{say('trouble.heading.changed')}. {say('trouble.nothing_sent')}"
            raise Relayed("changed_meanwhile", changed)

    def _send(self, parcel: Parcel) -> None:
        say, survey = self.interview.wording.say, self._survey
        try:
            self.link.hand_in(parcel.ticket, parcel.body.encode())
        except Refusal as refusal:
            if refusal.code in TEMPORARY:
                click.echo(say("trouble.kept"), err=True)
            raise
        if survey.test:
            # A device may test as often as it likes.
            self.outbox.forget(survey.fingerprint)
        else:
            self.outbox.mark_sent(survey.fingerprint, parcel)
        click.secho(f"\n{say('receipt.heading')}", bold=True)

    def _print_receipt(self, parcel: Parcel) -> None:
        interview, survey = self.interview, self._survey
        say, wording, total = interview.wording.say, interview.wording, survey.total_epsilon
        # Before the way out of here: it may name helplines.
        interview.print_closing()
        self._print_completion(parcel)
        click.echo(f"  {say('receipt.sent')}: {parcel.body.strip()}")
        group = _group_of(parcel)
        if group and interview.localized.groups:
            click.echo(f"  {say('groups.as_it_is')}: {interview.localized.groups.label(group)}")
        click.echo(f"  {say('receipt.guess')}: {wording.whole_survey(survey.asked, total)}")
        click.echo(f"  {say('receipt.epsilon')}: {wording.decimal(total)}")
        click.echo(f"  {say('receipt.fingerprint')}: {survey.fingerprint}")
        if survey.delete_on:
            click.echo(f"  {say('receipt.delete_on')}: {survey.delete_on}")
        click.echo(f"  {say('receipt.results')}: {self.link.results}")

    def _print_completion(self, parcel: Parcel) -> None:
        """Print what a panel asks for; the parameters become a part of its link here."""
        say, completion = self.interview.wording.say, self._survey.completion
        group = _group_of(parcel)
        own = completion.of_group(group)
        if own == NO_PANEL:
            return
        if own.code:
            click.echo(f"\n{say('completion.code')}: {own.code}")
        if own.redirect:
            click.echo(f"{say('completion.link')}: {own.link(self.link.parameters)}")
        is_own = group in dict(completion.by_group)
        click.echo(say("completion.note.group" if is_own else "completion.note"))


def _group_of(parcel: Parcel) -> str:
    """Return the group that was sent: in the report if it was chosen, else with the ticket."""
    return str(json.loads(parcel.body).get("group", parcel.group))
