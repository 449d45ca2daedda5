"""Verification of snapshots: unharmed, and of a closed survey what its reports say."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from sqlite_utils import Database

from server.store.disclosure.milestones import MINIMUM
from server.store.disclosure.snapshots import snapshot_checksum

Cells = Mapping[tuple[str, int], int]


def snapshot_faults(db: Database, survey: Mapping[str, Any], cells: Cells) -> Iterator[str]:
    """What is wrong with the snapshot of a survey whose reports were counted to these cells."""
    # As bytes, because a flipped bit may have broken the text.
    query = "SELECT n, CAST(content AS BLOB), checksum FROM snapshots WHERE survey = ?"
    row = db.execute(query, [survey["id"]]).fetchone()
    is_final = survey["state"] == "closed"
    if row is None:
        if is_final and survey["reports"] >= MINIMUM:
            yield "its final snapshot is missing"
        return
    n, content, stored = row
    text = content.decode(errors="replace")
    if stored != snapshot_checksum(survey["fingerprint"], n, text):
        yield "its snapshot does not fit its checksum"
    elif is_final and n == survey["reports"] and _cells(text) != cells:
        yield "its final snapshot is not what its reports say"
    elif is_final and survey["reports"] - n >= MINIMUM:
        yield "its final snapshot is missing"


def _cells(text: str) -> Cells:
    questions = json.loads(text)["all"].items()
    return {(id, cell): count for id, counts in questions for cell, count in enumerate(counts)}
