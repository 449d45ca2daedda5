"""Files that leave the system: written completely or not at all, without formulas or times."""

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
    """Raise unless the name is free and its folder exists; call this before long work."""
    if os.path.lexists(path):
        raise _taken(path)
    require(path.parent.is_dir(), "no_folder", str(path), parent=path.parent)


@contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """Write a new file under a temporary name, and give it its name at the end if that is free."""
    check_new_file(path)
    draft = path.with_name(f".{path.name}.{secure_hex(2)}.unfinished")
    try:
        with draft.open("xb") as file:
            yield file
        # A hard link fails if the name is taken; renaming would overwrite.
        os.link(draft, path)
    except FileExistsError:
        raise _taken(path) from None
    except OSError as error:
        raise Refusal("unwritable", str(path), reason=error.strerror or error) from None
    finally:
        # Whatever stopped the writing, even a key press, no half-written file stays.
        draft.unlink(missing_ok=True)


def _taken(path: Path) -> Refusal:
    return Refusal("file_exists", str(path))


# Signs that begin a formula, as they are and in full width.
_SIGNS = "=+@\uff1d\uff0b\uff0d\uff20-"
# At the start, or where another separator would begin a cell: in some places that is a semicolon.
_RUNS = re.compile(rf"(^|[;\t\r\n])(\s*)(?=[{_SIGNS}])|^(?=[\t\r\n])")
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


def escape_formula(value: Any) -> Any:
    """Return the value, with an apostrophe before any text that a spreadsheet would run."""
    if not isinstance(value, str) or _NUMBER.fullmatch(value):
        return value
    return _RUNS.sub(r"\1'\2", value)


def csv_line(values: Iterable[Any], separator: str = ",", ending: str = "\r\n") -> str:
    """Return a line of CSV: texts in quotes and without formulas, figures as they are."""
    return separator.join(map(_cell, values)) + ending


def _cell(value: Any) -> str:
    safe = escape_formula(value)
    if isinstance(safe, str) and not _NUMBER.fullmatch(safe):
        return '"' + safe.replace('"', '""') + '"'
    return "" if safe is None else str(safe)


def csv_text(
    columns: Sequence[str], rows: Iterable[Mapping[str, Any]], ending: str = "\r\n"
) -> str:
    """Return CSV with a heading; missing values are empty, and values without a column left out."""
    lines = ([row.get(column) for column in columns] for row in rows)
    return "".join(csv_line(line, ending=ending) for line in (columns, *lines))


# The oldest day that a zip file can express: when the file was written stays private.
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def plain_entry(name: str) -> ZipInfo:
    """Return a zip entry without a time, the same on every machine."""
    entry = ZipInfo(name, LONG_AGO)
    entry.compress_type = ZIP_DEFLATED
    # Fixed, because the defaults depend on the machine.
    entry.create_system = 3
    entry.external_attr = 0o644 << 16
    return entry
