"""Whether a survey may be published, as a new version, or is published already."""

from dataclasses import dataclass

from client.core.primitives.refusal import Refusal, require
from client.core.primitives.values import decimal_text
from client.core.survey import Survey
from client.wording.levels import is_weak, level_name
from server.surveys.records import Published
from server.surveys.schedule import Schedule
from server.surveys.states import State

_UNDER_WAY = (State.NOT_YET_OPEN, State.OPEN, State.COLLECTING, State.ANSWERING)


@dataclass(frozen=True)
class Edition:
    """A survey that is ready to be stored as the next version of its slug."""

    survey: Survey
    # The fingerprint that the same content has as the version before; "" where there is none.
    as_before: str

    @property
    def follows(self) -> int:
        """The version that must be the newest for this to be the next one; 0 for none."""
        return self.survey.version - 1


def check_publishable(survey: Survey, confirm_weak: bool, schedule: Schedule, now: str) -> None:
    """Raise if a survey cannot be published: weak without confirmation, or bad days."""
    check_protection(survey, confirm_weak)
    schedule.require_deletion(survey.delete_on, now)
    schedule.require_answers(survey.answer_from, survey.delete_on, now)
    is_open = not survey.by_invitation
    require(is_open or schedule.per_hour is None, "rate_of_personal_links", "per_hour")


def check_protection(survey: Survey, confirm_weak: bool) -> None:
    """Raise if protection is weak and its author has not confirmed that."""
    total = survey.total_epsilon
    require(
        confirm_weak or not is_weak(total),
        "weak_not_confirmed.option",
        "total_epsilon",
        total=decimal_text(total),
        level=level_name(total),
    )


def is_published_already(
    last: Published, edition: Edition, new_version: bool, schedule: Schedule
) -> bool:
    """Tell whether the newest version is this very survey; raise if it may not be replaced."""
    slug = last.survey.slug
    require(last.state is not State.TRASHED, "slug_taken.trash", "slug", slug=slug)
    is_over = last.state not in _UNDER_WAY
    if last.survey.fingerprint == edition.as_before and not (new_version and is_over):
        _require_same_schedule(last, schedule)
        return True
    if not new_version:
        raise Refusal("slug_taken.published", "slug", slug=slug)
    return False


def _require_same_schedule(last: Published, schedule: Schedule) -> None:
    survey = last.survey
    require(
        schedule == Schedule()
        or schedule.completed(survey.delete_on, survey.answer_from) == last.schedule,
        "dates_fixed",
        "slug",
        slug=survey.slug,
        state=last.state.words,
    )
