"""Which tallies are shown to whom: snapshots to the public, live to those who run a survey."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from client.core.question import Question
from client.core.survey import Survey
from estimators.counting.tally import Tally
from server.results.figures import Figure, figure
from server.store.database import Database
from server.store.results import read_live
from server.store.snapshots import Snapshot, read_public
from server.surveys.disclosure import MINIMUM, next_milestone
from server.surveys.records import Published


@dataclass(frozen=True)
class Shown:
    """What is shown of one version of a survey: n reports, and of them the tallies that may be.

    A question about which too few people were asked has an empty tally.
    """

    published: Published
    n: int
    tallies: Mapping[str, Tally]
    is_live: bool
    # All reports beside which n are shown, and the groups that can be shown, with their reports.
    total: int
    groups: Mapping[str, int]
    # The one whose n reports these are; None for all of them, '' for links without a group.
    group: str | None = None

    @property
    def survey(self) -> Survey:
        return self.published.survey

    @property
    def is_final(self) -> bool:
        """Closed for good: no report will ever be added."""
        return self.published.digest is not None

    @property
    def is_complete(self) -> bool:
        """Whether no report came after the snapshot."""
        return self.total == self.published.reports

    @property
    def minimum(self) -> int:
        """Below so many reports nothing is shown."""
        return self.published.least if self.is_live else MINIMUM

    @property
    def is_sealed(self) -> bool:
        """Nothing is shown to anybody before the survey is closed."""
        return self.published.is_sealed

    @property
    def next_n(self) -> int | None:
        """At how many reports the next snapshot is taken, unless the survey is closed before."""
        has_one = not (self.is_live or self.is_final or self.is_sealed)
        return next_milestone(self.total) if has_one else None

    def figures(self, questions: Iterable[Question]) -> list[Figure]:
        """The survey's questions, in its own words or in those of another language."""
        drawn_by = self.survey.drawn_by
        return [figure(question, self.tallies[question.id], drawn_by) for question in questions]


def live_results(
    database: Database, slug: str, version: int | None = None, group: str | None = None
) -> Shown:
    """For those who run the survey: all that is stored, at this moment."""
    published, found = read_live(database.reader, slug, version, group)
    return _shown(published, found, group, is_live=True)


def public_results(
    database: Database, slug: str, version: int | None = None, group: str | None = None
) -> Shown:
    """For everybody: the newest snapshot."""
    published, snapshot = read_public(database.reader, slug, version, group)
    return _shown(published, snapshot, group, is_live=False)


def _shown(published: Published, found: Snapshot | None, group: str | None, is_live: bool) -> Shown:
    least = 1 if is_live else MINIMUM
    tallies = {
        question.id: _tally(question, found, least) for question in published.survey.questions
    }
    if found is None:
        return Shown(published, 0, tallies, is_live, 0, {})
    return Shown(published, found.n, tallies, is_live, found.total, found.groups, group)


def _tally(question: Question, found: Snapshot | None, least: int) -> Tally:
    """An empty one of a question that too few people were asked."""
    if found is not None and found.tallies[question.id].n >= least:
        return found.tallies[question.id]
    return Tally((0,) * question.mechanism.cells, 0)
