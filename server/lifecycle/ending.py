"""How a survey ends: closing, at once or with a grace, and deleting what is due."""

from collections.abc import Iterable
from typing import Any

from server.store.store import Store
from server.surveys.audit import OPERATOR
from server.surveys.records import Published
from server.surveys.summary import closing_summary, state_summary
from server.web.services import Services


def close_survey(
    store: Store, slug: str, grace: str | None, actor: str = OPERATOR
) -> dict[str, Any]:
    """The final figures; or, with so many hours of grace, when there will be some."""
    if grace is None:
        return closing_summary(store.close_survey(slug, actor))
    return state_summary(store.begin_closing(slug, grace, actor))


def delete_due(services: Services, dry_run: bool) -> dict[str, Any]:
    """The versions whose reports are deleted, those removed from the trash, or what would be."""
    if dry_run:
        found = [(store.to_delete(), True) for store in (services.store, services.drafts)]
    else:
        found = [store.purge() for store in (services.store, services.drafts)]
    return {
        "dry_run": dry_run,
        "purged": [item for due, _ in found for item in _listed(due.purge)],
        "removed": [item for due, _ in found for item in _listed(due.remove)],
        "compacted": all(clean for _, clean in found),
    }


def _listed(versions: Iterable[Published]) -> list[dict[str, Any]]:
    return [
        {
            "slug": item.survey.slug,
            "version": item.survey.version,
            "test": item.survey.test,
            "reports": item.reports,
            "delete_on": item.survey.delete_on,
        }
        for item in versions
    ]
