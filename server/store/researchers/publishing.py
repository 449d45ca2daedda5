"""Publishing as a researcher. Runs inside the writer's transaction."""

from server.store import reading
from server.store.database import Connection
from server.store.lifecycle import publishing
from server.store.researchers import access, manuscripts
from server.surveys.publication import Edition
from server.surveys.records import Publication
from server.surveys.researchers import Author, Role
from server.surveys.schedule import Schedule


def publish_as(
    db: Connection, author: Author, edition: Edition, new_version: bool, schedule: Schedule
) -> Publication | None:
    """Publish as a researcher, who becomes the owner; only owners publish new versions.

    The manuscript goes over to the survey, and so to all who work on it.
    """
    slug, researcher = edition.survey.slug, author.researcher
    if reading.latest(db, slug) is not None:
        access.require_part(db, researcher, slug, Role.OWNER)
    publication = publishing.publish(db, edition, new_version, schedule, researcher.name)
    if publication is None:
        return None
    if publication.created:
        access.give_role(db, slug, researcher.name, Role.OWNER, researcher.name)
    if author.manuscript is not None:
        manuscripts.assign(db, researcher, author.manuscript, slug)
    return publication
