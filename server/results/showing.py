"""Which tallies are shown to whom: snapshots to the public, live to those who run a survey."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from client.question import Question
from client.survey import Survey
from estimators.tally import Tally
from server.results.figures import Figure, figure
from server.store import Published, Snapshot, Store
from server.store.milestones import MINIMUM, next_milestone


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
        return 1 if self.is_live else MINIMUM

    @property
    def next_n(self) -> int | None:
        """At how many reports the next snapshot is taken, unless the survey is closed before."""
        return None if self.is_live or self.is_final else next_milestone(self.total)

    def figures(self, questions: Iterable[Question]) -> list[Figure]:
        """The survey's questions, in its own words or in those of another language."""
        drawn_by = self.survey.drawn_by
        return [figure(question, self.tallies[question.id], drawn_by) for question in questions]


def live_results(
    store: Store, slug: str, version: int | None = None, group: str | None = None
) -> Shown:
    """For those who run the survey: all that is stored, at this moment."""
    published, tallies = store.tallies(slug, version, group)
    sizes = {each.name: each.reports for each in store.groups(slug, version)}
    groups = sizes if sizes.keys() != {""} else {}
    total = published.reports if group is None else sum(sizes.values())
    return Shown(published, published.reports, tallies, True, total, groups, group)


def public_results(
    store: Store, slug: str, version: int | None = None, group: str | None = None
) -> Shown:
    """For everybody: the newest snapshot."""
    published, snapshot = store.snapshot(slug, version, group)
    tallies = {
        question.id: _public_tally(question, snapshot) for question in published.survey.questions
    }
    if snapshot is None:
        return Shown(published, 0, tallies, False, 0, {})
    return Shown(published, snapshot.n, tallies, False, snapshot.total, snapshot.groups, group)


def _public_tally(question: Question, snapshot: Snapshot | None) -> Tally:
    if snapshot is not None and snapshot.tallies[question.id].n >= MINIMUM:
        return snapshot.tallies[question.id]
    return Tally((0,) * question.mechanism.cells, 0)
