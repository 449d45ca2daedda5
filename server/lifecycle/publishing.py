"""Publishing a survey and putting it up as a test, for workbench, API and commands alike.

The caller builds the survey once, and it is verified once as its readers will verify it; both
before the transaction that stores it.
"""

from dataclasses import replace

from client.core.survey import Survey
from server.lifecycle.ending import tidy, wipe
from server.lifecycle.ticket_keys import delete_keys, with_new_keys
from server.store import reading
from server.store.database import Database
from server.store.lifecycle import publishing
from server.store.researchers import access
from server.store.researchers.publishing import publish_as as store_as
from server.surveys.publication import Edition, check_protection, check_publishable
from server.surveys.records import Publication
from server.surveys.researchers import OPERATOR, Author, Researcher, Role
from server.surveys.schedule import Schedule
from server.web.services import Services


def publish(
    services: Services,
    survey: Survey,
    new_version: bool = False,
    confirm_weak: bool = False,
    schedule: Schedule | None = None,
    author: Author | None = None,
) -> Publication:
    """Open a survey, or a new version of it; publishing the same content again changes nothing.

    Without an author it is the operator's. The test of it is over, and leaves nothing.
    """
    days, database = schedule or Schedule(), services.database
    if author is not None and reading.latest(database.reader, survey.slug) is None:
        # Publishing wipes the test.
        publishing.require_own_test(services.drafts.reader, survey.slug, author.researcher.name)
    check_publishable(survey, confirm_weak, days, database.now)
    publication = None
    # Again, if another version was published between the reading and the writing.
    while publication is None:
        publication = _publish_next(database, survey, new_version, days, author)
    # The version before may have been closed by it.
    tidy(database)
    return replace(publication, wiped=wipe(services.drafts, survey.slug))


def _publish_next(
    database: Database, survey: Survey, new_version: bool, days: Schedule, author: Author | None
) -> Publication | None:
    """Publish as the next version; return None if its number is taken meanwhile."""
    edition, publication = _next_edition(database, survey), None
    try:
        publication = (
            database.write(publishing.publish, edition, new_version, days, OPERATOR)
            if author is None
            else database.write(store_as, author, edition, new_version, days)
        )
    finally:
        if publication is None or not publication.created:
            delete_keys(database, [edition.survey])
    return publication


def put_up_test(
    services: Services,
    survey: Survey,
    confirm_weak: bool = False,
    researcher: Researcher | None = None,
) -> Publication:
    """Put up a survey to be tested, replacing any earlier test under its slug.

    A researcher owns the test, or is an editor of what is published under the slug.
    """
    version = reading.next_version(services.database.reader, survey.slug)
    if researcher is not None and version > 1:
        access.require_part(services.database.reader, researcher, survey.slug, Role.EDITOR)
    check_protection(survey, confirm_weak)
    drafts = services.drafts
    before = reading.latest(drafts.reader, survey.slug)
    test = _verified(with_new_keys(drafts, replace(survey, version=version, test=True)))
    actor = OPERATOR if researcher is None else researcher.name
    publication = drafts.write(publishing.put_up_test, test, actor)
    delete_keys(drafts, [] if before is None else [before.survey])
    return replace(publication, wiped=drafts.rewrite_if_owed())


def has_test_up(services: Services, researcher: Researcher, slug: str) -> bool:
    """Tell whether a test is up under the slug that this researcher may replace."""
    owner = publishing.test_owner(services.drafts.reader, slug)
    if reading.latest(services.database.reader, slug) is None:
        return owner == researcher.name
    role = access.role_of(services.database.reader, researcher, slug)
    return owner is not None and role is not None


def _next_edition(database: Database, survey: Survey) -> Edition:
    version = reading.next_version(database.reader, survey.slug)
    last = reading.latest(database.reader, survey.slug) if version > 1 else None
    ready = _verified(with_new_keys(database, replace(survey, version=version)))
    return Edition(ready, "" if last is None else _as_before(last.survey, survey))


def _as_before(last: Survey, survey: Survey) -> str:
    """Return the fingerprint of the content with the number and the keys of the last version."""
    same_keys = (last.access, last.ticket_groups) == (survey.access, survey.ticket_groups)
    keys = last.ticket_keys if same_keys else ()
    return replace(survey, version=last.version, ticket_keys=keys).fingerprint


def _verified(survey: Survey) -> Survey:
    """Read the document as a device will, so that nothing that devices refuse is stored."""
    reading.survey_from(survey.fingerprint, survey.document)
    return survey
