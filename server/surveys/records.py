"""Versions of surveys as the store hands them out: frozen values, never rows."""

from dataclasses import dataclass

from client.core.primitives.refusal import Refusal, require
from client.core.survey import Survey
from server.surveys.disclosure import LEAST_IN_GROUP
from server.surveys.schedule import Schedule
from server.surveys.states import ALLOWED, Change, State, refusal_for_respondents, require_allowed


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
        """By invitation and not closed for good: nobody reads more than how many reports came.

        Whoever made the links can ask which of them are used. With results from before and after
        they would see that person's report being counted.
        """
        return self.survey.by_invitation and self.digest is None

    @property
    def least(self) -> int:
        """How many reports there must be before those who run the survey read any of them."""
        return LEAST_IN_GROUP if self.survey.by_invitation else 1

    @property
    def is_readable(self) -> bool:
        """Whether anybody may read results or reports: the one place that decides it."""
        too_few = self.survey.by_invitation and self.reports < self.least
        return not self.is_sealed and not too_few

    def require_readable(self) -> None:
        """For files, which cannot say why they are empty."""
        slug = self.survey.slug
        require(
            not self.is_sealed,
            "results_sealed",
            f"the survey {slug!r} is by invitation: its results appear when it is closed, so that "
            "nobody can watch a single link's report being counted",
            "slug",
        )
        require(
            self.is_readable,
            "too_few_reports",
            f"the survey {slug!r} is by invitation, and nothing is shown of fewer than "
            f"{self.least} reports, got {self.reports}",
            "slug",
        )

    def allows(self, change: Change) -> bool:
        return self.state in ALLOWED[change]

    def require_tickets(self) -> None:
        if not self.allows(Change.GIVE_TICKETS):
            raise refusal_for_respondents(self.state)

    def require_allowed(self, change: Change) -> None:
        """For the operator, who hears the state."""
        require_allowed(change, self.state, self.survey.slug)


@dataclass(frozen=True)
class Publication:
    """The outcome of publishing: the version, and whether this call made it."""

    published: Published
    created: bool
    # False when the bytes of a test could not be overwritten; publishing again tries again.
    wiped: bool = True


@dataclass(frozen=True)
class Closing:
    """The outcome of closing: what the survey will say for ever."""

    slug: str
    version: int
    reports: int
    digest: str
    # False when VACUUM could not run; closing again tries again.
    compacted: bool = True


@dataclass(frozen=True)
class Group:
    """A public group of links: how many personal ones were made, how many reports came."""

    name: str
    issued: int
    reports: int
    # How many others were merged into it, too small to be told apart.
    merged: int


def unknown_survey(slug: str) -> Refusal:
    """What every question about a slug that nobody has published is answered with."""
    return Refusal("unknown_survey", f"there is no survey {slug[:80]!r}", "slug")
