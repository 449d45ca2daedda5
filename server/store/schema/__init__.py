"""The tables, as explicit statements: what the server keeps, and what it cannot keep.

No column holds a time, an address or a sequence about a respondent. Reports and tickets have no
common key, and both tables are `WITHOUT ROWID`: a rowid would record the order of arrival.
"""

# The order of these imports is the order in which a file is brought up to date.
# ruff: noqa: I001
from server.store.schema.migrations import migrations
from server.store.schema import (
    ballot_box,
    states,
    audit_log,
    office,
    lifecycle,
    snapshots,
    groups,
    planning,
    owners_of_tests,
    merging,
    days_on_record,
)

__all__ = [
    "audit_log",
    "ballot_box",
    "days_on_record",
    "groups",
    "lifecycle",
    "merging",
    "migrations",
    "office",
    "owners_of_tests",
    "planning",
    "snapshots",
    "states",
]
