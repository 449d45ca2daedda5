"""Publishing a draft: the checks that come before the store, the same for every way in."""

from dataclasses import replace
from typing import Any

from client.decimals import decimal_text
from client.draft import build_survey
from client.refusal import require
from client.wording import is_weak, level_name
from server.services import Services
from server.store import Publication, Researcher, Role, Schedule
from server.store.audit_log import OPERATOR


def publish_draft(
    services: Services,
    draft: dict[str, Any],
    new_version: bool = False,
    confirm_weak: bool = False,
    schedule: Schedule | None = None,
    actor: str = OPERATOR,
) -> Publication:
    """Open the survey that a draft describes. The test of it is over, and leaves nothing."""
    days = schedule or Schedule()
    check_publishable(draft, confirm_weak, days, services.store.now)
    publication = services.store.publish(
        lambda version: build_survey(draft, version), new_version, days, actor
    )
    return replace(publication, wiped=services.drafts.wipe(publication.published.survey.slug))


def publish_as(
    services: Services,
    researcher: Researcher,
    draft: dict[str, Any],
    new_version: bool = False,
    confirm_weak: bool = False,
    schedule: Schedule | None = None,
) -> Publication:
    """Publish as a researcher, who becomes the owner. A new version is for the owners alone."""
    slug = build_survey(draft).slug
    is_new = services.store.next_version(slug) == 1
    if not is_new:
        _require_role(services, researcher, slug, Role.OWNER)
    # If somebody else takes the slug meanwhile, theirs is not to get a new version from here.
    replaces = new_version and not is_new
    publication = publish_draft(services, draft, replaces, confirm_weak, schedule, researcher.name)
    if publication.created:
        services.office.make_owner(slug, researcher)
    return publication


def rehearse_as(
    services: Services, researcher: Researcher, draft: dict[str, Any], confirm_weak: bool = False
) -> Publication:
    """Put up a draft as a researcher, who must be an editor if the slug is published."""
    slug = build_survey(draft).slug
    if services.store.next_version(slug) > 1:
        _require_role(services, researcher, slug, Role.EDITOR)
    return rehearse_draft(services, draft, confirm_weak)


def _require_role(services: Services, researcher: Researcher, slug: str, role: Role) -> None:
    """Under a slug that is published, with a word that helps whoever did not know."""
    require(
        services.office.role_of(researcher, slug) is not None,
        "slug_taken",
        f"somebody else has published a survey as {slug!r}; choose another slug",
        "slug",
    )
    services.office.require_role(researcher, slug, role)


def rehearse_draft(
    services: Services, draft: dict[str, Any], confirm_weak: bool = False
) -> Publication:
    """Put up a draft to be tested, in place of what was tested under its slug before."""
    check_draft(draft, confirm_weak)
    version = services.store.next_version(build_survey(draft).slug)
    return services.drafts.renew(build_survey(draft, version, test=True))


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
