"""A browser with a profile on the disk, and a search through every byte that it leaves there."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from playwright.sync_api import BrowserContext, BrowserType

from tests.browser.chromium import launch_options
from tests.browser.conftest import PHONE
from tests.browser.leveldb import log_text, table_text

ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")


@contextmanager
def profile_of(browser: BrowserType, folder: Path) -> Iterator[BrowserContext]:
    """A person's browser, which writes its profile into the folder and is closed in the end."""
    device = browser.launch_persistent_context(str(folder), viewport=PHONE, **launch_options())
    device.set_default_timeout(60_000)
    yield device
    device.close()


def files_with(folder: Path, text: str) -> list[str]:
    """The files that hold a text, in any usual encoding, packed or not, removed or not."""
    wanted = [text.encode(encoding).lower() for encoding in ENCODINGS]
    return sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file()
        and any(form in shape.lower() for shape in shapes(path) for form in wanted)
    )


def shapes(path: Path) -> Iterator[bytes]:
    """The name and the content of a file, as it is and as its format means it."""
    content = path.read_bytes()
    yield path.name.encode()
    yield content
    if path.suffix == ".log":
        yield log_text(content)
    if path.suffix in (".ldb", ".sst"):
        yield table_text(content)
    if content.startswith(b"SQLite format 3\0"):
        yield from cells(path)


def cells(path: Path) -> Iterator[bytes]:
    """Every value in a SQLite file: a long one may be cut into pieces in its pages."""
    with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as db:
        db.text_factory = bytes
        names = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        for (name,) in names:
            quoted = name.decode().replace('"', '""')
            for row in db.execute(f'SELECT * FROM "{quoted}"'):
                yield b"\0".join(cell for cell in row if isinstance(cell, bytes))
