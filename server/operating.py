"""Publish and close as the operator does: directly when nobody writes, else through the server."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from client.draft import read_draft
from client.refusal import Refusal
from server.data import DataFolder
from server.publishing import check_draft, publish_draft
from server.remote import call_operator
from server.serving import running_services
from server.summary import closing_summary, publication_summary


def publish(
    folder: DataFolder, path: Path, new_version: bool, confirm_weak: bool
) -> dict[str, Any]:
    """Publish a survey file; the figures of the published version."""
    draft = read_draft(path)
    # Before the data folder is touched: a refused file leaves nothing behind.
    check_draft(draft, confirm_weak)
    try:
        with running_services(folder) as services:
            publication = publish_draft(services.store, draft, new_version, confirm_weak)
            return publication_summary(publication)
    except Refusal as refusal:
        if refusal.code != "data_folder_in_use":
            raise
    chosen = {"new_version": new_version, "confirm_weak": confirm_weak}
    query = urlencode({name: "1" for name, is_chosen in chosen.items() if is_chosen})
    return call_operator(folder, f"?{query}", json.dumps(draft).encode())


def close(folder: DataFolder, slug: str) -> dict[str, Any]:
    """Close a survey; its final figures."""
    folder.require_database()
    try:
        with running_services(folder) as services:
            return closing_summary(services.store.close_survey(slug))
    except Refusal as refusal:
        if refusal.code != "data_folder_in_use":
            raise
    return call_operator(folder, f"/{slug}/close")
