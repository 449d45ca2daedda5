"""Files that leave the system: whole or not at all, CSV without formulas, zips without times."""

import csv
import io
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipInfo

from client.core.primitives.refusal import Refusal, require
from client.core.primitives.words import secure_hex


def check_new_file(path: Path) -> None:
    """A name that is free, in a folder that exists: asked before long work is done."""
    if os.path.lexists(path):
        raise _taken(path)
    require(path.parent.is_dir(), "no_folder", str(path), parent=path.parent)


@contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """Write beside `path`; the name is given at the end, unless somebody has taken it by then."""
    check_new_file(path)
    draft = path.with_name(f".{path.name}.{secure_hex(2)}.unfinished")
    try:
        with draft.open("xb") as file:
            yield file
        # A hard link fails if the name is taken, where renaming would overwrite.
        os.link(draft, path)
    except FileExistsError:
        raise _taken(path) from None
    except OSError as error:
        raise Refusal("unwritable", str(path), reason=error.strerror or error) from None
    finally:
        # Whatever stopped the writing, a key press included, nothing half-written stays.
        draft.unlink(missing_ok=True)


def _taken(path: Path) -> Refusal:
    return Refusal("file_exists", str(path))


_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


def harmless(value: Any) -> Any:
    """The same, but a text that a spreadsheet would run gets an apostrophe in front."""
    runs = isinstance(value, str) and value.startswith(_STARTS) and not _NUMBER.fullmatch(value)
    return f"'{value}" if runs else value


def csv_text(
    columns: Sequence[str], rows: Iterable[Mapping[str, Any]], ending: str = "\r\n"
) -> str:
    """A heading and a line per row; what a row lacks is empty, what is in no column left out."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator=ending)
    writer.writerow(columns)
    writer.writerows([harmless(row.get(column)) for column in columns] for row in rows)
    return text.getvalue()


# The oldest day that a zip knows: when a file was written is nobody's business.
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def plain_entry(name: str) -> ZipInfo:
    entry = ZipInfo(name, LONG_AGO)
    entry.compress_type = ZIP_DEFLATED
    # Made on Unix, readable by all: otherwise it would depend on the machine.
    entry.create_system = 3
    entry.external_attr = 0o644 << 16
    return entry
