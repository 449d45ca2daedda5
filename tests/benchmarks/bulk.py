"""A survey with any number of reports, written directly into the database in one transaction."""

import itertools
import sqlite3
from collections.abc import Iterator
from contextlib import closing

from client.authoring.draft.survey import build_survey
from client.core.primitives import canonical
from client.core.survey import Survey
from server.data_folder import DataFolder
from server.serving import running_services
from server.store import reading
from server.store.checksums import checksum
from server.store.snapshots import take_at_closing
from tests.support.publishing import publish_draft

DRAFT = {
    "slug": "bulk",
    "title": "A survey for measurements",
    "delete_on": "2999-12-31",
    "epsilon": "0.5",
    "questions": [{"id": f"q{i}", "prompt": f"Question {i}?"} for i in range(1, 4)],
}


def fill(folder: DataFolder, reports: int) -> Survey:
    """Publish the survey and store `reports` reports that `candor verify` accepts."""
    with running_services(folder) as services:
        publish_draft(services, DRAFT)
    survey = build_survey(DRAFT)
    with closing(sqlite3.connect(folder.database)) as db, db:
        db.executemany("INSERT INTO reports VALUES (1, ?, ?, ?, '')", _reports(survey, reports))
        for table in ("surveys", "groups"):
            db.execute(f"UPDATE {table} SET reports = ?", [reports])
        for question in survey.questions:
            db.execute(
                "UPDATE tallies SET count = (SELECT count(*) FROM reports WHERE "
                "json_extract(randomized, '$.' || question) = cell) WHERE question = ?",
                [question.id],
            )
    with running_services(folder) as services:
        # The snapshot that the last of these reports would have triggered.
        services.database.write(
            lambda db: take_at_closing(db, reading.newest(services.database.reader, survey.slug))
        )
    return survey


def _reports(survey: Survey, count: int) -> Iterator[tuple[str, str, bytes]]:
    ids = [question.id for question in survey.questions]
    patterns = [
        canonical.canonical(dict(zip(ids, bits, strict=True))).decode()
        for bits in itertools.product((0, 1), repeat=len(ids))
    ]
    for i, content in zip(range(count), itertools.cycle(patterns), strict=False):
        id = f"{i:032x}"
        yield id, content, checksum(survey.fingerprint, id, content)
