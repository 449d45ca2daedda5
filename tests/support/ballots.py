"""Ballots, and what else happens to surveys, straight into a database without a server."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from client.authoring.draft.survey import build_survey
from client.core.primitives.refusal import Refusal
from client.core.report import Report
from client.core.survey import Survey
from server.signing.blinded import signed_by
from server.store import ballot_box, invitations
from server.store.database import Connection, open_writer
from server.store.invitations import Gift
from server.store.lifecycle import closing, deleting, publishing
from server.store.writer import Entry, Job, commit_all
from server.surveys.ballots.ballot import Ballot
from server.surveys.publication import Edition
from server.surveys.schedule import Schedule
from server.surveys.strays import GroupChoice
from tests.support.clock import FakeClock
from tests.support.groups import with_groups
from tests.support.ticket_keys import POOL

SMALL_TABLES = ("surveys", "tallies", "groups", "snapshots", "audit_log")
TABLES = (*SMALL_TABLES, "reports", "spent", "invitations")
DRAFT: dict[str, Any] = {
    "title": "Habits",
    "delete_on": "2999-12-31",
    "epsilon": "1",
    "questions": [
        {"id": "smokes", "prompt": "Do you smoke?"},
        {"id": "drinks", "prompt": "Do you drink alone?"},
    ],
}
SLUGS = ("plain", "full", "invited", "later", "choice")
INVITED = ("invited", "later")
DAYS = [f"2026-11-{day}T12:00:00Z" for day in range(20, 24)]
# Few, so that random ballots meet: repeats, conflicts and duplicates are common.
IDS = [f"{n:032x}" for n in range(10)]
# The hashes of some links. The first have their tickets at once: as many as there are ids.
LINKS = [hashlib.sha256(b"%d" % n).digest() for n in range(2 * len(IDS))]
ACTOR = "operator"
LOG_KEY = bytes(32)


@cache
def survey(slug: str, version: int = 1) -> Survey:
    changes: dict[str, dict[str, Any]] = {
        "invited": {"access": "invited"},
        "later": {"access": "invited", "answer_from": DAYS[2][:10]},
        "choice": {"groups": with_groups({}, by="choice")["groups"]},
    }
    draft = {**DRAFT, "slug": slug, **changes.get(slug, {})}
    made = replace(build_survey(draft), version=version)
    return made.with_ticket_keys({"": POOL[version].public}) if slug in INVITED else made


def ballot(slug: str, version: int, id: str, smokes: int = 0, group: int = 0) -> Ballot:
    of = survey(slug, version)
    code = of.groups.codes[group] if of.groups else ""
    report = Report(of.fingerprint, {"smokes": smokes, "drinks": 1}, code)
    return Ballot(of, id, report, code)


def crowd(slug: str, first: int, count: int) -> list[Ballot]:
    """New ballots, each with an id of its own."""
    return [
        ballot(slug, 1, f"{n:032x}", int(n % 3 == 0), n % 2) for n in range(first, first + count)
    ]


def gift(survey: int, link: int, version: int = 1) -> Gift:
    """Return the ticket that a device asks for with a link."""
    answer = f"{link + 2:0512x}"
    asked = invitations.asked_for(signed_by(POOL[version].public, answer))
    return Gift(survey, LINKS[link], "", asked, bytes.fromhex(answer))


def publish(db: Connection, slug: str, version: int = 1) -> Any:
    """Publish a version, unless its turn is over; some have their links at once."""
    if slug == "later" and db.now >= DAYS[2][:10]:
        return None  # Nobody could collect a ticket any more, so no command publishes it.
    days = Schedule(closes_at=5) if slug == "full" else Schedule()
    done = publishing.publish(db, Edition(survey(slug, version), ""), True, days, ACTOR)
    if done is not None and done.created and slug in INVITED:
        invitations.invite(db, done.published, "", LINKS)
        key = done.published.key
        invitations.give_all(db, [gift(key, link, version) for link in range(len(IDS))])
    return done


# What else happens to surveys, in the same transactions.
EVENTS: dict[str, Callable[[Connection, str], Any]] = {
    "close": lambda db, slug: closing.close(db, slug, ACTOR, GroupChoice.KEEP),
    "drop groups": lambda db, slug: closing.close(db, slug, ACTOR, GroupChoice.DROP),
    "begin closing": lambda db, slug: closing.begin_closing(
        db, slug, DAYS[2], ACTOR, GroupChoice.DROP
    ),
    "archive": lambda db, slug: closing.archive(db, slug, ACTOR),
    "trash": lambda db, slug: deleting.trash(db, slug, ACTOR),
    "restore": lambda db, slug: deleting.restore(db, slug, ACTOR),
    "wipe": publishing.wipe,
    "publish": publish,
    "replace": lambda db, slug: publish(db, slug, 2),
}
Event = tuple[str, str]


def opened(path: Path, clock: FakeClock) -> Connection:
    db = open_writer(path, clock, LOG_KEY)
    # These tests are about what is stored; that it survives is tested elsewhere.
    db.execute("PRAGMA synchronous = OFF")
    return db


def publish_all(path: Path) -> None:
    """Make a database in which all the surveys are open."""
    db = opened(path, FakeClock(DAYS[0]))
    for slug in SLUGS:
        heard(db, [happen(("publish", slug))])
    db.close()


def heard(db: Connection, jobs: Sequence[Job | Entry]) -> list[Any]:
    """Commit jobs together; return what those hear who wait for them."""
    commit_all(db, jobs)
    return [_heard(job) for job in jobs]


def _heard(job: Job | Entry) -> Any:
    error = job.done.exception()
    if isinstance(error, Refusal):
        return error.key, error.path, error.values
    assert error is None, error
    return job.done.result()


def rows(db: Connection, tables: Sequence[str] = TABLES) -> dict[str, list[Any]]:
    return {table: db.execute(f"SELECT * FROM {table}").fetchall() for table in tables}


def in_set(item: Ballot | Gift) -> Entry:
    if isinstance(item, Gift):
        return Entry(invitations.give_all, item)
    return Entry(ballot_box.put_all, item)


def happen(event: Event) -> Job:
    name, slug = event
    return Job(lambda db: EVENTS[name](db, slug), alone=False)
