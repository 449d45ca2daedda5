"""Columns of reports as lines of text: the bytes of `Report.body`, or of a table, in bulk.

Every line gets the same room, in which each entry has its place; bytes of the room that stay zero
are taken out at the end. So numpy writes millions of lines without looking at one of them.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from client.simulate.reports import Columns
from client.simulate.source import Flags, Integers

Text = NDArray[np.uint8]

# As many bytes of lines at a time as a cache holds.
BLOCK_BYTES = 2**20


def json_lines(columns: Columns) -> Iterator[bytes]:
    """One report per line, as in its body."""
    ids = sorted(columns.randomized)
    keys = [f'"{id}":' for id in ids]
    head = f'{{"fingerprint":"{columns.survey.fingerprint}","randomized":{{'
    around = [head + keys[0], *(f",{key}" for key in keys[1:]), "}}\n"]
    return _lines(columns, ids, around)


def csv_lines(columns: Columns) -> Iterator[bytes]:
    """One report per row, each cell as in the report's JSON; lists have commas, hence quotes."""
    quotes = ['"' if column.ndim > 1 else "" for column in columns.randomized.values()]
    between = [f"{left},{right}" for left, right in pairwise(quotes)]
    return _lines(columns, list(columns.randomized), [quotes[0], *between, f"{quotes[-1]}\r\n"])


def _lines(columns: Columns, ids: Sequence[str], around: Sequence[str]) -> Iterator[bytes]:
    """Blocks of lines: the entries of these questions with the pieces that stand around them."""
    step = max(1, BLOCK_BYTES // columns.survey.report_bytes)
    pieces = [np.frombuffer(piece.encode(), dtype=np.uint8) for piece in around]
    for start in range(0, len(columns), step):
        rows = slice(start, start + step)
        entries = [_entries(columns.randomized[id][rows], columns.asked[id][rows]) for id in ids]
        between = chain.from_iterable(zip(pieces, entries, strict=False))
        yield _compact([*between, pieces[-1]], len(entries[0]))


def _compact(parts: Sequence[Text], lines: int) -> bytes:
    """Parts beside each other, those of one row the same for every line, and no room between."""
    room = np.empty((lines, sum(part.shape[-1] for part in parts)), dtype=np.uint8)
    start = 0
    for part in parts:
        end = start + part.shape[-1]
        room[:, start:end] = part
        start = end
    return room.tobytes().replace(b"\0", b"")


def _entries(numbers: Integers, asked: Flags) -> Text:
    """One question's randomized answers as JSON, `null` where it was not asked."""
    text = _json(numbers)
    if asked.all():
        return text
    null = np.frombuffer(b"null", dtype=np.uint8)
    entries = np.zeros((len(text), max(text.shape[1], len(null))), dtype=np.uint8)
    entries[asked, : text.shape[1]] = text[asked]
    entries[~asked, : len(null)] = null
    return entries


def _json(numbers: Integers) -> Text:
    """Numbers, or lists of them nested as the array is, one row of text each."""
    if numbers.ndim == 1:
        return _numerals(len(str(numbers.max())))[numbers]
    rows, members, *rest = numbers.shape
    inner = _json(numbers.reshape(rows * members, *rest))
    text = np.empty((rows, 1 + members * (inner.shape[1] + 1)), dtype=np.uint8)
    text[:, 0] = ord("[")
    places = text[:, 1:].reshape(rows, members, -1)
    places[:, :, :-1] = inner.reshape(rows, members, -1)
    places[:, :, -1] = ord(",")
    text[:, -1] = ord("]")
    return text


@lru_cache
def _numerals(digits: int) -> Text:
    """The numbers of up to so many digits in decimal, one row each."""
    return (
        np.array([str(number).encode() for number in range(10**digits)])
        .view(np.uint8)
        .reshape(-1, digits)
    )
