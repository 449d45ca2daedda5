"""Which tallies are shown to whom: snapshots to the public, live ones to researchers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from client.core.question import Question
from client.core.survey import Survey
from estimators.counting.tally import Tally
from estimators.tables.forging import survey_draw
from server.results.figures import Figure, kept_figure
from server.store.database import Database
from server.store.invitations import link_counts
from server.store.results import read_live
from server.store.snapshots import Snapshot, read_public
from server.surveys.crowd import Parts
from server.surveys.disclosure import LEAST_IN_GROUP, MINIMUM, next_milestone
from server.surveys.groups import Selection, label_of, selections_by_factor, shown_codes
from server.surveys.records import Published


@dataclass(frozen=True)
class ShownResults:
    """What is shown of one version of a survey: the tallies of n reports.

    A question that too few people were asked has an empty tally.
    """

    published: Published
    n: int
    tallies: Mapping[str, Tally]
    is_live: bool
    # All reports of the snapshot, and the number of reports of each group that may be shown.
    total: int
    groups: Mapping[str, int]
    # The groups whose n reports these are; None for everybody.
    group: Selection | None = None
    # How many reports there were, and how many are not counted because they are strays.
    taken: int = 0
    strays: int = 0
    # Whether the total is only the sum of the groups.
    is_sum: bool = False
    # Links made, tickets given and reports, once an invited survey is closed.
    tickets: dict[str, int] | None = None
    # The reports by what all public figures tell apart; None if that is not known.
    parts: Parts | None = None

    @property
    def survey(self) -> Survey:
        return self.published.survey

    @property
    def is_final(self) -> bool:
        """Whether the survey is closed for good, so that no report will ever be added."""
        return self.published.digest is not None

    @property
    def is_complete(self) -> bool:
        """Whether all reports are counted, but for strays."""
        return self.total + self.strays == self.published.reports

    @property
    def minimum(self) -> int:
        """The least number of reports for which results are shown."""
        return self.published.least if self.is_live else MINIMUM

    @property
    def least_strays(self) -> int:
        """The number of strays from which they are counted."""
        return LEAST_IN_GROUP if self.is_live else MINIMUM

    @property
    def is_sealed(self) -> bool:
        """Whether nobody may see anything before the survey is closed."""
        return self.published.is_sealed

    @property
    def next_n(self) -> int | None:
        """The number of reports at which the next snapshot is taken, or None."""
        has_one = not (self.is_live or self.is_final or self.is_sealed)
        return next_milestone(self.taken) if has_one else None

    @property
    def group_label(self) -> str:
        """The label of these groups in the survey's own language; "" for everybody."""
        return "" if self.group is None else self.group.label(self.survey.groups)

    @property
    def sizes_by_label(self) -> dict[str, int]:
        """The number of reports of each group that may be shown, by its label."""
        return {label_of(self.survey.groups, code): n for code, n in self.groups.items()}

    @property
    def sizes_by_factor(self) -> dict[str, dict[Selection, int]]:
        """For several factors, by id, the reports of each level in groups that may be shown.

        These are sums of figures that are shown, so they tell nothing new.
        """
        groups = self.survey.groups
        found: dict[str, dict[Selection, int]] = {}
        for id, levels in selections_by_factor(groups).items() if groups else ():
            sizes = {
                level: sum(self.groups[code] for code in shown_codes(groups, level, self.groups))
                for level in levels
            }
            found[id] = {level: n for level, n in sizes.items() if n}
        return found

    def figures(self, questions: Iterable[Question]) -> list[Figure]:
        """Return the figures of these questions, which may be in any language of the survey."""
        survey, draw = self.survey, survey_draw(self.survey, self.n)
        own = {question.id: question for question in survey.questions}
        return [
            kept_figure(
                survey.fingerprint, own[question.id], self.tallies[question.id], draw
            ).labelled(question)
            for question in questions
        ]


def live_results(
    database: Database, slug: str, version: int | None = None, group: str | None = None
) -> ShownResults:
    """Return everything that is stored at this moment, for those who run the survey."""
    published, found = read_live(database.reader, slug, version, group)
    return _shown(database, published, found, is_live=True)


def public_results(
    database: Database, slug: str, version: int | None = None, group: str | None = None
) -> ShownResults:
    """Return the newest snapshot, for everybody."""
    published, snapshot = read_public(database.reader, slug, version, group)
    return _shown(database, published, snapshot, is_live=False)


def _shown(
    database: Database, published: Published, found: Snapshot | None, is_live: bool
) -> ShownResults:
    counts = link_counts(database.reader, published) if published.shows_links else None
    least = 1 if is_live else MINIMUM
    tallies = {
        question.id: _tally(question, found, least) for question in published.survey.questions
    }
    if found is None:
        return ShownResults(published, 0, tallies, is_live, 0, {}, tickets=counts)
    return ShownResults(
        published,
        found.n,
        tallies,
        is_live,
        found.total,
        found.groups,
        found.group,
        found.taken,
        found.strays,
        found.is_sum,
        counts,
        found.parts,
    )


def _tally(question: Question, found: Snapshot | None, least: int) -> Tally:
    """Return a question's tally; an empty one if too few people were asked."""
    if found is not None and found.tallies[question.id].n >= least:
        return found.tallies[question.id]
    return Tally((0,) * question.mechanism.cells, 0)
