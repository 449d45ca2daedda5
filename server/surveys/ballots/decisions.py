"""Which reports of a batch are stored, and what the others hear: decided in order of arrival.

Nothing here reads or writes the database. It is asked before, about all ballots of the batch, and
written to afterwards, so that neither takes more statements for more ballots.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from client.core.primitives.refusal import Refusal, require
from server.surveys.ballots.ballot import Ballot, StoredReport
from server.surveys.records import unknown_survey
from server.surveys.states import Decided, State, refusal_for_respondents

# A survey's key with a report's id.
Place = tuple[int, str]


@dataclass(frozen=True)
class Version:
    """A version of a survey, with what was decided about it and the number of its reports."""

    key: int
    fingerprint: str
    slug: str
    number: int
    decided: Decided
    reports: int

    def takes_reports(self, now: str, reports: int) -> bool:
        """Tell whether it takes one more report: open or closing, begun, not over, not full."""
        schedule = self.decided.schedule
        begins = schedule.answer_from or schedule.opens
        return (
            not self.decided.is_closed
            and (begins is None or begins <= now)
            and (schedule.ends is None or now < schedule.ends)
            and not schedule.is_full(reports)
        )

    def state_at(self, now: str, reports: int) -> State:
        """Return its state once it has so many reports."""
        return replace(self.decided, is_full=self.decided.schedule.is_full(reports)).state_at(now)


@dataclass(frozen=True)
class Found:
    """What the database held before a batch: all versions of its surveys, and reports."""

    now: str
    versions: Sequence[Version]
    reports: Mapping[Place, StoredReport]
    # The ids that reports had before their survey was closed.
    spent: Collection[Place] = ()

    @cached_property
    def keys(self) -> dict[str, int]:
        """The key of each version, by its fingerprint."""
        return {version.fingerprint: version.key for version in self.versions}


@dataclass(frozen=True)
class Taken:
    """A ballot that is stored now, as the n-th report of its survey."""

    key: int
    n: int
    ballot: Ballot


@dataclass(frozen=True)
class Repeat:
    """A ballot whose report was stored before."""


Outcome = Taken | Repeat | Refusal


def decide(ballots: Iterable[Ballot], found: Found) -> list[Outcome]:
    """Decide about each ballot as if the ones before it were already stored."""
    batch = _Batch(found)
    return [batch.outcome(ballot) for ballot in ballots]


class _Batch:
    """What is stored, with the ballots of this batch that were already taken."""

    def __init__(self, found: Found) -> None:
        self._now = found.now
        self._versions = {version.fingerprint: version for version in found.versions}
        self._counts = {version.key: version.reports for version in found.versions}
        in_order = sorted(found.versions, key=lambda version: version.number)
        self._newest = {version.slug: version for version in in_order}
        self._reports = dict(found.reports)
        self._spent = found.spent

    def outcome(self, ballot: Ballot) -> Outcome:
        version = self._versions.get(ballot.survey.fingerprint)
        try:
            # Before the state: a device that missed our answer must hear it again.
            if version and self._is_repeat(version.key, ballot):
                return Repeat()
            if not version or not version.takes_reports(self._now, self._counts[version.key]):
                return self._too_late(ballot)
        except Refusal as refusal:
            return refusal
        return self._take(version.key, ballot)

    def _is_repeat(self, key: int, ballot: Ballot) -> bool:
        """Tell whether its ticket handed in this report; raise if it handed in another one.

        After the closing nothing tells any more which report it was.
        """
        place = (key, ballot.id)
        stored = self._reports.get(place)
        if stored is None:
            return place in self._spent
        require(stored == ballot.stored, "ticket_spent", "ticket")
        return True

    def _too_late(self, ballot: Ballot) -> Refusal:
        """Say why a report is not taken: the survey is gone, replaced, or not open."""
        newest = self._newest.get(ballot.survey.slug)
        if newest is None:
            return unknown_survey(ballot.survey.slug)
        if newest.fingerprint != ballot.survey.fingerprint:
            return Refusal("document_changed.report", "fingerprint")
        return refusal_for_respondents(newest.state_at(self._now, self._counts[newest.key]))

    def _take(self, key: int, ballot: Ballot) -> Taken:
        self._counts[key] += 1
        self._reports[key, ballot.id] = ballot.stored
        return Taken(key, self._counts[key], ballot)
