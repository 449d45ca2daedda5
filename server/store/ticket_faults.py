"""Verification of links and tickets: no more reports than tickets, no more tickets than links.

While a survey is open, every signature is checked with the keys of its document, which also tells
to which group the ticket belongs. After the closing only the use of a link is left.

A backup that is brought back does not know the tickets that were given after it. They stay valid,
and their links can buy another one: from then on there may be more reports than tickets or links.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from client.core.survey import Survey
from server.signing.blinded import signed_by
from server.store.audit_log import is_older_than_backup
from server.store.database import Connection
from server.store.invitations import HAS_ASKED, NO_ANSWER, NOT_ASKED, asked_for
from server.surveys.groups import label_of


class _Counts(NamedTuple):
    issued: int
    given: int
    reports: int


def ticket_faults(db: Connection, key: int, survey: Survey, is_closed: bool) -> Iterator[str]:
    """Yield what does not fit together."""
    rows = db.execute("SELECT name, issued, given, reports FROM groups WHERE survey = ?", [key])
    groups = {name: _Counts(*counts) for name, *counts in rows}
    total = _Counts(*map(sum, zip(*groups.values(), strict=True)))
    (spent,) = db.execute("SELECT count(*) FROM spent WHERE survey = ?", [key]).fetchone()
    yield from _unequal("used tickets", total.reports if is_closed else 0, spent)
    query = "SELECT hash, asked, answer FROM invitations WHERE survey = ? ORDER BY hash"
    links = db.execute(query, [key]).fetchall()
    yield from _unequal("links made", total.issued, len(links))
    if not survey.by_invitation:
        return
    given: Counter[str] = Counter()
    for hash, asked, answer in links:
        group = _group_used(survey, is_closed, asked, answer)
        if group is None:
            yield f"link {hash.hex()}: its answer is no signature of what was asked"
        elif asked != NOT_ASKED:
            given[group] += 1
    yield from _unequal("tickets given", total.given, given.total())
    misses_tickets = is_older_than_backup(db, survey.slug, survey.fingerprint)
    yield from _too_many("", total, misses_tickets)
    if len(survey.ticket_keys) > 1:
        for name, counts in groups.items():
            where = (
                f" in group {label_of(survey.groups, name)}" if name in survey.ticket_groups else ""
            )
            if not is_closed:
                yield from _unequal(f"tickets given{where}", counts.given, given[name])
            yield from _too_many(where, counts, misses_tickets)


def _group_used(survey: Survey, is_closed: bool, asked: bytes, answer: bytes) -> str | None:
    """Return the group whose key signed what was asked; None if a row is not as it can be."""
    if asked == NOT_ASKED or is_closed:
        fits = answer == NO_ANSWER and asked in (NOT_ASKED, HAS_ASKED)
        return "" if fits else None
    for group, public in survey.ticket_keys:
        if asked_for(signed_by(public, answer.hex())) == asked:
            return group
    return None


def _unequal(what: str, stored: int, counted: int) -> Iterator[str]:
    if stored != counted:
        yield f"{what}: stored {stored}, counted {counted}"


def _too_many(where: str, counts: _Counts, misses_tickets: bool) -> Iterator[str]:
    if counts.given > counts.issued or (counts.reports > counts.given and not misses_tickets):
        yield (
            f"tickets{where}: {counts.reports} reports, {counts.given} tickets given, "
            f"{counts.issued} links made"
        )
