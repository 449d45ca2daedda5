"""Versions of surveys as the store hands them out: frozen values, never rows."""

from dataclasses import dataclass

from client.core.primitives.refusal import Refusal, require
from client.core.survey import Survey
from server.surveys.disclosure import LEAST_IN_GROUP
from server.surveys.schedule import Schedule
from server.surveys.states import (
    AFTER_CLOSING,
    ALLOWED,
    Change,
    State,
    refusal_for_respondents,
    require_allowed,
)


@dataclass(frozen=True)
class Published:
    """One version of a survey as it stands now."""

    key: int
    survey: Survey
    state: State
    schedule: Schedule
    reports: int
    # None until it is closed.
    digest: str | None
    # Since when it is in the trash.
    trashed: str | None = None

    @property
    def is_sealed(self) -> bool:
        """Whether results are hidden from everybody: by invitation and not closed for good.

        The person who made the links can find out which were used. With results from before and
        after they could see a known person's report being counted.
        """
        return self.survey.by_invitation and self.digest is None

    @property
    def least(self) -> int:
        """The number of reports below which researchers see no results."""
        return LEAST_IN_GROUP if self.survey.by_invitation else 1

    @property
    def is_readable(self) -> bool:
        """Whether anybody may read results or reports; decided only here."""
        too_few = self.survey.by_invitation and self.reports < self.least
        return not self.is_sealed and not too_few

    @property
    def shows_links(self) -> bool:
        """Whether everybody is told how many links, tickets and reports there are.

        Not before: whoever watches these numbers would see when somebody asks or answers.
        """
        return self.survey.by_invitation and self.digest is not None

    def require_readable(self) -> None:
        """Raise if no results may be read, with the reason."""
        slug = self.survey.slug
        require(not self.is_sealed, "results_sealed", "slug", slug=slug)
        require(
            self.is_readable,
            "too_few_reports.invitation",
            "slug",
            slug=slug,
            least=self.least,
            reports=self.reports,
        )

    def require_more(self, closes_at: int) -> None:
        """Raise if the survey would be full at once with this number."""
        Schedule(closes_at=closes_at)
        require(
            closes_at > self.reports,
            "bad_closes_at.reopening",
            "closes_at",
            reports=self.reports,
            closes_at=closes_at,
        )

    @property
    def is_ending(self) -> bool:
        """Whether it is over by the clock, but not closed for good: the clock may be wrong."""
        return self.state is State.CLOSED and self.digest is None

    def allows(self, change: Change) -> bool:
        return self.state in ALLOWED[change] and not (self.is_ending and change in AFTER_CLOSING)

    def require_tickets(self) -> None:
        if not self.allows(Change.GIVE_TICKETS):
            raise refusal_for_respondents(self.state)

    def require_allowed(self, change: Change) -> None:
        """Raise if the state does not allow the change; the message names the state."""
        slug = self.survey.slug
        require_allowed(change, self.state, slug)
        is_early = self.is_ending and change in AFTER_CLOSING
        require(not is_early, "wrong_state.ending", "slug", slug=slug, change=change)


@dataclass(frozen=True)
class Publication:
    """The outcome of publishing: the version, and whether this call made it."""

    published: Published
    created: bool
    # False when the bytes of a test could not be overwritten; publishing again tries again.
    wiped: bool = True


@dataclass(frozen=True)
class Closing:
    """The outcome of closing: the final figures."""

    slug: str
    version: int
    reports: int
    digest: str
    # The hash of the log's entry about it: kept elsewhere, it shows a log that was rewritten.
    log_anchor: str
    # False when VACUUM could not run; closing again tries again.
    compacted: bool = True


@dataclass(frozen=True)
class Group:
    """A public group: how many personal links were made, how many of them have a ticket, how many
    reports came.
    """

    name: str
    issued: int
    given: int
    reports: int
    # How many other groups were merged into it because they were too small.
    merged: int


def unknown_survey(slug: str) -> Refusal:
    """Make the refusal for a slug that has no survey."""
    return Refusal("unknown_survey", "slug", slug=slug)
