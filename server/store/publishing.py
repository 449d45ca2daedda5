"""Publishing and closing versions. Every function here runs inside the writer's transaction."""

import hashlib
from collections.abc import Callable, Iterable

from sqlite_utils import Database

from client.refusal import Refusal
from client.survey import Survey
from server.store import reading
from server.store.records import Closing, Publication, Published

BuildSurvey = Callable[[int], Survey]


def publish(db: Database, build: BuildSurvey, new_version: bool) -> Publication:
    """Open a survey. `build` makes it for a version number, which only the transaction knows."""
    last = reading.latest(db, build(1).slug)
    if last is None:
        return Publication(_open(db, build(1)), created=True)
    if _is_unchanged(last, build) and (last.is_open or not new_version):
        return Publication(last, created=False)
    if not new_version:
        raise Refusal(
            "slug_taken",
            f"the survey {last.survey.slug!r} is published with other content; "
            "publish it with --new-version, or choose another slug",
            "slug",
        )
    close_version(db, last)
    return Publication(_open(db, build(last.survey.version + 1)), created=True)


def close(db: Database, slug: str) -> Closing:
    """Close the newest version; closing again repeats the same answer."""
    last = reading.latest(db, slug)
    if last is None:
        raise unknown_survey(slug)
    return close_version(db, last)


def close_version(db: Database, published: Published) -> Closing:
    """Set closed, count and digest; from here on no report enters."""
    digest = published.digest or digest_of(_checksums(db, published.key))
    if published.is_open:
        db.execute(
            "UPDATE surveys SET state = 'closed', digest = ? WHERE id = ?", [digest, published.key]
        )
    survey = published.survey
    return Closing(survey.slug, survey.version, published.reports, digest)


def unknown_survey(slug: str) -> Refusal:
    return Refusal("unknown_survey", f"there is no survey {slug[:80]!r}", "slug")


def digest_of(checksums: Iterable[bytes]) -> str:
    """One hash over all reports, from their checksums in the order of their ids."""
    digest = hashlib.sha256()
    for checksum in checksums:
        digest.update(checksum)
    return digest.hexdigest()


def _is_unchanged(last: Published, build: BuildSurvey) -> bool:
    return build(last.survey.version).fingerprint == last.survey.fingerprint


def _open(db: Database, survey: Survey) -> Published:
    key = db.execute(
        "INSERT INTO surveys (slug, version, fingerprint, state) VALUES (?, ?, ?, 'open')",
        [survey.slug, survey.version, survey.fingerprint],
    ).lastrowid
    assert key is not None
    db.execute("INSERT INTO documents (survey, document) VALUES (?, ?)", [key, survey.document])
    # Every cell from the start, so that folding a report is an update and zeros are counted too.
    db.conn.executemany(
        "INSERT INTO tallies (survey, question, cell) VALUES (?, ?, ?)",
        [
            (key, question.id, cell)
            for question in survey.questions
            for cell in range(question.mechanism.cells)
        ],
    )
    return Published(key, survey, "open", 0, None)


def _checksums(db: Database, key: int) -> Iterable[bytes]:
    rows = db.execute("SELECT checksum FROM reports WHERE survey = ? ORDER BY id", [key])
    return (checksum for (checksum,) in rows)
