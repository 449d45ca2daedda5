"""Deleting what is due, published surveys and tests alike, the same for every way in."""

from collections.abc import Iterable
from typing import Any

from server.services import Services
from server.store import Published


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
