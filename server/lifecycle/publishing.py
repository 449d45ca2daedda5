"""Publishing a draft: the checks that come before the store, the same for every way in."""

from dataclasses import replace
from typing import Any

from client.authoring.draft.survey import build_survey
from client.core.primitives.refusal import require
from client.core.primitives.values import decimal_text
from client.wording.levels import is_weak, level_name
from server.surveys.audit import OPERATOR
from server.surveys.records import Publication
from server.surveys.researchers import Author, Researcher, Role
from server.surveys.schedule import Schedule
from server.web.services import Services


def publish_draft(
    services: Services,
    draft: dict[str, Any],
    new_version: bool = False,
    confirm_weak: bool = False,
    schedule: Schedule | None = None,
    author: Author | None = None,
) -> Publication:
    """Open the survey that a draft describes. The test of it is over, and leaves nothing."""
    days = schedule or Schedule()
    check_publishable(draft, confirm_weak, days, services.store.now)
    publication = services.store.publish(
        lambda version: build_survey(draft, version), new_version, days, author
    )
    return replace(publication, wiped=services.drafts.wipe(publication.published.survey.slug))


def publish_as(
    services: Services,
    researcher: Researcher,
    draft: dict[str, Any],
    new_version: bool = False,
    confirm_weak: bool = False,
    schedule: Schedule | None = None,
    manuscript: str | None = None,
) -> Publication:
    """Publish as a researcher, who becomes the owner. A new version is for the owners alone.

    The manuscript that it was written in goes over to the survey.
    """
    if services.store.next_version(slug := build_survey(draft).slug) == 1:
        # Publishing wipes the test.
        services.drafts.require_own_test(slug, researcher.name)
    author = Author(researcher, manuscript)
    return publish_draft(services, draft, new_version, confirm_weak, schedule, author)


def rehearse_as(
    services: Services, researcher: Researcher, draft: dict[str, Any], confirm_weak: bool = False
) -> Publication:
    """Put up a draft as a researcher, who owns the test, or is an editor of what is published."""
    slug = build_survey(draft).slug
    if services.store.next_version(slug) > 1:
        services.office.require_part(researcher, slug, Role.EDITOR)
    return rehearse_draft(services, draft, confirm_weak, researcher.name)


def has_test_up(services: Services, researcher: Researcher, slug: str) -> bool:
    """Whether a test of the slug is up that this researcher may replace."""
    owner = services.drafts.test_owner(slug)
    if services.store.next_version(slug) == 1:
        return owner == researcher.name
    return owner is not None and services.office.role_of(researcher, slug) is not None


def rehearse_draft(
    services: Services, draft: dict[str, Any], confirm_weak: bool = False, actor: str = OPERATOR
) -> Publication:
    """Put up a draft to be tested, in place of what was tested under its slug before."""
    check_draft(draft, confirm_weak)
    version = services.store.next_version(build_survey(draft).slug)
    return services.drafts.renew(build_survey(draft, version, test=True), actor)


def check_publishable(
    draft: dict[str, Any], confirm_weak: bool, schedule: Schedule, now: str
) -> None:
    """Refuse what cannot be published: beside the draft, the days that respondents rely on."""
    check_draft(draft, confirm_weak)
    schedule.require_deletion(build_survey(draft).delete_on, now)


def check_draft(draft: dict[str, Any], confirm_weak: bool) -> None:
    """Refuse what cannot even be tested. A weak survey needs its author's word."""
    total = build_survey(draft).total_epsilon
    require(
        confirm_weak or not is_weak(total),
        "weak_not_confirmed",
        f"a total epsilon of {decimal_text(total)} is {level_name(total)} protection, and the "
        "page will say so; confirm it with --confirm-weak, or lower the epsilons",
        "total_epsilon",
    )
