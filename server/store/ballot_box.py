"""Storing reports in sets: reports and tallies of a batch in one transaction.

However many ballots a batch has, it takes three statements to read and a few to write: rows travel
as one JSON text, checksums as one blob. Only a milestone in the middle of a batch adds some, since
its snapshot must see exactly the reports up to it. Rows are written in the order of their keys,
which has nothing to do with the order of arrival.

`json_each`, and `CROSS JOIN` as an order of reading, are SQLite's; another engine has its own way
to turn a list into rows.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from client.core.primitives.refusal import Refusal
from server.store import reading, snapshots
from server.store.checksums import checksum
from server.store.database import Connection
from server.surveys.ballots.ballot import Ballot, StoredReport
from server.surveys.ballots.decisions import Found, Place, Taken, Version, decide

_CHECKSUM_BYTES = 32
_NTH_CHECKSUM = f"substr(:checksums, 1 + {_CHECKSUM_BYTES} * key, {_CHECKSUM_BYTES})"


def put_all(db: Connection, ballots: Sequence[Ballot]) -> list[bool | Refusal]:
    """Store ballots; True for each new one, False for a repeat, else what its sender hears.

    State and reports are read in the transaction that writes: no report enters after the closing,
    and no ticket hands in two.
    """
    outcomes = decide(ballots, _find(db, ballots))
    taken = [outcome for outcome in outcomes if isinstance(outcome, Taken)]
    if taken:
        _insert(db, taken)
        _fold(db, taken)
    return [
        outcome if isinstance(outcome, Refusal) else isinstance(outcome, Taken)
        for outcome in outcomes
    ]


def _find(db: Connection, ballots: Sequence[Ballot]) -> Found:
    """Read what the database holds about these ballots."""
    versions = _versions(db, {ballot.survey.slug for ballot in ballots})
    keys = {version.fingerprint: version.key for version in versions}
    known = [
        (keys[ballot.survey.fingerprint], ballot)
        for ballot in ballots
        if ballot.survey.fingerprint in keys
    ]
    places = {"places": _json([(key, ballot.id) for key, ballot in known])}
    return Found(db.now, versions, _stored(db, places), _spent(db, places))


def _versions(db: Connection, slugs: Iterable[str]) -> list[Version]:
    rows = db.execute(
        f"SELECT id, fingerprint, slug, version, {reading.STANDING} FROM surveys "
        "WHERE slug IN (SELECT value FROM json_each(:slugs))",
        {"slugs": _json(sorted(slugs))},
    )
    return [
        Version(key, fingerprint, slug, number, *reading.standing(rest))
        for key, fingerprint, slug, number, *rest in rows
    ]


def _stored(db: Connection, places: dict[str, str]) -> dict[Place, StoredReport]:
    rows = db.execute(
        "SELECT survey, reports.id, randomized, in_group FROM json_each(:places) AS place "
        "CROSS JOIN reports ON survey = json_extract(place.value, '$[0]') "
        "AND reports.id = json_extract(place.value, '$[1]')",
        places,
    )
    return {(key, id): StoredReport(content, group) for key, id, content, group in rows}


def _spent(db: Connection, places: dict[str, str]) -> set[Place]:
    rows = db.execute(
        "SELECT survey, hash FROM json_each(:places) AS place "
        "CROSS JOIN spent ON survey = json_extract(place.value, '$[0]') "
        "AND hash = json_extract(place.value, '$[1]')",
        places,
    )
    return {(key, id) for key, id in rows}


def _insert(db: Connection, taken: Iterable[Taken]) -> None:
    ordered = sorted(taken, key=lambda item: (item.key, item.ballot.id))
    rows = [(item.key, item.ballot.id, item.ballot.content, item.ballot.group) for item in ordered]
    db.execute(
        "INSERT INTO reports (survey, id, randomized, checksum, in_group) "
        "SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), "
        f"json_extract(value, '$[2]'), {_NTH_CHECKSUM}, json_extract(value, '$[3]') "
        "FROM json_each(:rows)",
        {"rows": _json(rows), "checksums": b"".join(_checksum(item.ballot) for item in ordered)},
    )


def _checksum(ballot: Ballot) -> bytes:
    return checksum(ballot.survey.fingerprint, ballot.id, ballot.content, ballot.group)


def _fold(db: Connection, taken: Iterable[Taken]) -> None:
    """Add the reports to the tallies, and take a snapshot at each milestone."""
    waiting: list[Taken] = []
    for item in taken:
        waiting.append(item)
        if snapshots.is_taken_at(item.ballot.survey, item.n):
            _count(db, waiting)
            waiting = []
            survey = item.ballot.survey
            published = reading.version_of(db, survey.slug, survey.version)
            snapshots.take_at_milestone(db, published, item.n)
    if waiting:
        _count(db, waiting)


def _count(db: Connection, taken: Iterable[Taken]) -> None:
    """Add reports to the cells, to the groups, and to the surveys."""
    cells: Counter[tuple[int, str, str, int]] = Counter()
    groups: Counter[tuple[int, str]] = Counter()
    surveys: Counter[tuple[int]] = Counter()
    for item in taken:
        group = item.ballot.group
        surveys[(item.key,)] += 1
        groups[item.key, group] += 1
        cells.update((item.key, group, question, cell) for question, cell in item.ballot.cells)
    _add(db, "tallies", cells)
    _add(db, "groups", groups)
    _add(db, "surveys", surveys)


def _add(db: Connection, table: str, counts: Mapping[Any, int]) -> None:
    rows = [(*key, added) for key, added in sorted(counts.items())]
    db.execute(_ADD[table], {"rows": _json(rows)})


def _adding(table: str, counter: str, *key: str) -> str:
    """Return the statement that adds to a counter in many rows, each found by its key."""
    columns = ", ".join(f"json_extract(value, '$[{at}]') AS {name}" for at, name in enumerate(key))
    return (
        f"UPDATE {table} SET {counter} = {table}.{counter} + more.added "
        f"FROM (SELECT {columns}, json_extract(value, '$[{len(key)}]') AS added "
        "FROM json_each(:rows)) AS more "
        f"WHERE {' AND '.join(f'{table}.{name} = more.{name}' for name in key)}"
    )


_ADD = {
    "tallies": _adding("tallies", "count", "survey", "in_group", "question", "cell"),
    "groups": _adding("groups", "reports", "survey", "name"),
    "surveys": _adding("surveys", "reports", "id"),
}


def _json(rows: Sequence[Any]) -> str:
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
