"""What stays of a survey whose reports are deleted: totals of crowds, and nothing smaller.

Totals of few, in a group or of those who were asked a question, would be nearly reports.
"""

from sqlite_utils import Database

from server.store import reading
from server.store.disclosure import snapshots
from server.store.disclosure.merging import merge_groups
from server.store.disclosure.rarely_asked import few_asked
from server.store.records import Published


def keep_only_crowds(db: Database, published: Published) -> None:
    """Runs inside the writer's transaction."""
    everybody = reading.counts(db, published)
    names = list(reading.sizes(db, published))
    by_group = [reading.counts(db, published, [name]) for name in names]
    if few_asked(published.survey, everybody, by_group):
        merge_groups(db, published, [name for name in names if name])
    for question in few_asked(published.survey, everybody):
        db.execute(
            "UPDATE tallies SET count = 0 WHERE survey = ? AND question = ?",
            [published.key, question],
        )
    snapshots.keep_only_crowds(db, published)
