"""The tables, as explicit statements: what the server keeps, and what it cannot keep.

No column holds a time, an address or a sequence about a respondent. Invitations and reports have no
common key, and no row of one is ever written in a transaction with a row of the other. Both tables
are `WITHOUT ROWID`: a rowid would record the order of arrival.

`STRICT`, `WITHOUT ROWID`, `GLOB` and `RAISE` are SQLite's; another engine has its own statements.
"""

from collections.abc import Callable
from hashlib import sha256

from sqlite_utils import Migrations

from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal
from server.store.checksums import log_link
from server.store.engines.connection import Connection, Executes

migrations = Migrations("candor")

# Tells of the chain before an entry, its words and its chain whether they fit together.
Fits = Callable[[bytes, list[str], bytes], bool]

_SURVEYS = (
    # Moments such as 2026-12-01T00:00:00Z: of the survey, never of a respondent.
    """
    CREATE TABLE surveys (
        id INTEGER PRIMARY KEY,
        slug TEXT NOT NULL,
        version INTEGER NOT NULL,
        fingerprint TEXT NOT NULL UNIQUE,
        state TEXT NOT NULL CHECK (state IN ('open', 'closed')),
        reports INTEGER NOT NULL DEFAULT 0 CHECK (reports >= 0),
        digest TEXT CHECK ((digest IS NOT NULL) = (state = 'closed')),
        opens TEXT CHECK (opens GLOB '????-??-??T??:??:??Z'),
        ends TEXT CHECK (ends GLOB '????-??-??T??:??:??Z'),
        -- Until this moment tickets are given, and from it on reports are taken.
        answer_from TEXT CHECK (answer_from GLOB '????-??-??T??:??:??Z'),
        closing INTEGER NOT NULL DEFAULT 0 CHECK (closing IN (0, 1)),
        archived INTEGER NOT NULL DEFAULT 0
            CHECK (archived = 0 OR (archived = 1 AND state = 'closed')),
        closes_at INTEGER CHECK (closes_at > 0),
        -- Whether the private keys of its tickets are kept: until it gives none any more.
        keyed INTEGER NOT NULL DEFAULT 0 CHECK (keyed IN (0, 1)),
        -- Whether closing tells groups apart, and holds back what would then show.
        keeps_groups INTEGER NOT NULL DEFAULT 1 CHECK (keeps_groups IN (0, 1)),
        -- From this moment on nothing is kept of any respondent; `purged` says that it is done.
        deletes TEXT CHECK (deletes GLOB '????-??-??T??:??:??Z'),
        purged INTEGER NOT NULL DEFAULT 0 CHECK (purged = 0 OR (purged = 1 AND state = 'closed')),
        -- The moment at which it was put into the trash.
        trashed TEXT
            CHECK (trashed IS NULL OR (trashed GLOB '????-??-??T??:??:??Z' AND state = 'closed')),
        UNIQUE (slug, version)
    ) STRICT
    """,
    # One open version per survey, whatever the code above believes.
    "CREATE UNIQUE INDEX one_open ON surveys (slug) WHERE state = 'open'",
    # Apart from `surveys`, whose row is written again with every report.
    """
    CREATE TABLE documents (
        survey INTEGER PRIMARY KEY REFERENCES surveys (id),
        document BLOB NOT NULL
    ) STRICT
    """,
    # Who put up a test. By name: tests are kept in a file of their own, without researchers.
    """
    CREATE TABLE test_owners (
        survey INTEGER PRIMARY KEY REFERENCES surveys (id),
        name TEXT NOT NULL
    ) STRICT
    """,
)
_BALLOT_BOX = (
    # A group is a code of the survey's document, or '' for none. The id is the ticket's, until the
    # closing draws another.
    """
    CREATE TABLE reports (
        survey INTEGER NOT NULL REFERENCES surveys (id),
        id TEXT NOT NULL,
        randomized TEXT NOT NULL,
        checksum BLOB NOT NULL,
        in_group TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (survey, id)
    ) STRICT, WITHOUT ROWID
    """,
    # The ids that the reports of closed surveys had, so that a late repeat is recognized.
    """
    CREATE TABLE spent (
        survey INTEGER NOT NULL REFERENCES surveys (id),
        hash TEXT NOT NULL,
        PRIMARY KEY (survey, hash)
    ) STRICT, WITHOUT ROWID
    """,
    # A row for each personal link, which says nothing of its group. `asked` is the hash of what its
    # device asked to sign, and `answer` the signature. Zeros from the start, so that no row changes
    # its size.
    """
    CREATE TABLE invitations (
        survey INTEGER NOT NULL REFERENCES surveys (id),
        hash BLOB NOT NULL CHECK (length(hash) = 32),
        asked BLOB NOT NULL CHECK (length(asked) = 32),
        answer BLOB NOT NULL CHECK (length(answer) = 256),
        PRIMARY KEY (survey, hash)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE tallies (
        survey INTEGER NOT NULL REFERENCES surveys (id),
        question TEXT NOT NULL,
        cell INTEGER NOT NULL,
        count INTEGER NOT NULL DEFAULT 0 CHECK (count >= 0),
        in_group TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (survey, in_group, question, cell)
    ) STRICT, WITHOUT ROWID
    """,
    # How many personal links were made, how many of them have a ticket, how many reports came, and
    # how many groups were merged into it.
    # '*' are reports that the closing holds back; they are in no tally.
    """
    CREATE TABLE groups (
        survey INTEGER NOT NULL REFERENCES surveys (id),
        name TEXT NOT NULL,
        issued INTEGER NOT NULL DEFAULT 0 CHECK (issued >= 0),
        given INTEGER NOT NULL DEFAULT 0 CHECK (given BETWEEN 0 AND issued),
        reports INTEGER NOT NULL DEFAULT 0 CHECK (reports >= 0),
        merged INTEGER NOT NULL DEFAULT 0 CHECK (merged >= 0),
        PRIMARY KEY (survey, name)
    ) STRICT, WITHOUT ROWID
    """,
    # What the public sees of a survey, and counts of reports that decide what it may see next. No
    # time, no order, no report.
    """
    CREATE TABLE snapshots (
        survey INTEGER PRIMARY KEY REFERENCES surveys (id),
        n INTEGER NOT NULL CHECK (n > 0),
        content TEXT NOT NULL,
        checksum BLOB NOT NULL
    ) STRICT
    """,
)
_LOG_TRIGGERS = (
    """
    CREATE TRIGGER audit_log_keeps_its_words BEFORE UPDATE ON audit_log
        BEGIN SELECT RAISE(ABORT, 'the audit log can only be added to'); END
    """,
    """
    CREATE TRIGGER audit_log_keeps_its_rows BEFORE DELETE ON audit_log
        BEGIN SELECT RAISE(ABORT, 'the audit log can only be added to'); END
    """,
)
_AUDIT_LOG = (
    # No report brings an entry about. Older files have days, from when the last report could.
    """
    CREATE TABLE audit_log (
        entry INTEGER PRIMARY KEY,
        moment TEXT NOT NULL
            CHECK (moment GLOB '????-??-??T??:??:??Z' OR moment GLOB '????-??-??'),
        actor TEXT NOT NULL,
        action TEXT NOT NULL,
        slug TEXT NOT NULL,
        details TEXT NOT NULL,
        chain BLOB NOT NULL
    ) STRICT
    """,
    *_LOG_TRIGGERS,
)
_RESEARCHERS = (
    # A session quotes the stamp: with a new stamp every session is over.
    """
    CREATE TABLE researchers (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        password_hash TEXT NOT NULL,
        stamp TEXT NOT NULL UNIQUE,
        active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1))
    ) STRICT
    """,
    """
    CREATE TABLE memberships (
        slug TEXT NOT NULL,
        researcher INTEGER NOT NULL REFERENCES researchers (id),
        role TEXT NOT NULL CHECK (role IN ('viewer', 'editor', 'owner')),
        PRIMARY KEY (slug, researcher)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE api_keys (
        id INTEGER PRIMARY KEY,
        researcher INTEGER NOT NULL REFERENCES researchers (id),
        hash BLOB NOT NULL UNIQUE,
        scope TEXT NOT NULL CHECK (scope IN ('read', 'manage')),
        label TEXT NOT NULL,
        created TEXT NOT NULL CHECK (created GLOB '????-??-??'),
        revoked INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1))
    ) STRICT
    """,
    # Of one researcher, until it belongs to a published survey and so to everybody who works on it.
    """
    CREATE TABLE manuscripts (
        id TEXT PRIMARY KEY,
        researcher INTEGER NOT NULL REFERENCES researchers (id),
        slug TEXT,
        content TEXT NOT NULL,
        revision INTEGER NOT NULL CHECK (revision >= 1),
        updated TEXT NOT NULL CHECK (updated GLOB '????-??-??T??:??:??Z'),
        respondents INTEGER NOT NULL DEFAULT 1000
            CHECK (respondents BETWEEN 1 AND 1000000000)
    ) STRICT, WITHOUT ROWID
    """,
)


@migrations()
def tables(db: Executes) -> None:
    for statement in (*_SURVEYS, *_BALLOT_BOX, *_AUDIT_LOG, *_RESEARCHERS):
        db.execute(statement)


@migrations()
def clock_table(db: Executes) -> None:
    # The last hour in which the clock could be trusted: of the server, never of a respondent.
    db.execute(
        """
        CREATE TABLE clock (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            hour TEXT NOT NULL CHECK (hour GLOB '????-??-??T??:00:00Z')
        ) STRICT
        """
    )
    # What was last recorded is the best that an older file knows.
    db.execute(
        "INSERT INTO clock (one, hour) SELECT 1, substr(moment || 'T00', 1, 13) || ':00:00Z' "
        "FROM audit_log ORDER BY moment DESC LIMIT 1"
    )


@migrations()
def rate_of_tickets(db: Executes) -> None:
    db.execute("ALTER TABLE surveys ADD COLUMN per_hour INTEGER CHECK (per_hour > 0)")


@migrations()
def keyed_log(db: Executes) -> None:
    """Only a mark: the chain of the audit log depends on a key, which `make_tables` has."""


def rechain(db: Executes, key: bytes, fits: Fits = lambda *_: True) -> None:
    """Chain the entries of the audit log again with a key; entries that do not fit stay broken."""
    rows = db.execute(
        "SELECT entry, chain, moment, actor, action, slug, details FROM audit_log ORDER BY entry"
    ).fetchall()
    db.execute("DROP TRIGGER audit_log_keeps_its_words")
    old, new = b"", b""
    for entry, chain, *words in rows:
        new = log_link(key, new, words) if fits(old, words, chain) else b""
        db.execute("UPDATE audit_log SET chain = ? WHERE entry = ?", [new, entry])
        old = chain
    db.execute(_LOG_TRIGGERS[0])


def _fits_without_a_key(before: bytes, words: list[str], chain: bytes) -> bool:
    return chain == sha256(before + canonical.canonical(words)).digest()


def make_tables(db: Connection, log_key: bytes = b"") -> None:
    """Make the tables that a file lacks; one from before the first release is refused."""
    pending = db.pending(migrations)
    if not db.is_empty() and tables.__name__ in pending:
        raise Refusal("old_database", "data")
    with db.atomic():
        db.make(migrations)
        if keyed_log.__name__ in pending:
            rechain(db, log_key, _fits_without_a_key)


def require_current(db: Connection) -> None:
    """Raise if a table above is missing, which only the writing connection may add."""
    if db.pending(migrations):
        raise Refusal("old_database", "data")
