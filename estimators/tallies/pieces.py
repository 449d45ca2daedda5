"""Cut files of reports into pieces that anybody who has the files can count.

A Parquet file falls into runs of its row groups; a file of text is one piece.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from client.core.survey import Survey
from estimators.counting.formats import PARQUET, suffix_of
from estimators.counting.parquet_file import RowGroups, count_parquet, row_groups
from estimators.counting.reports_file import count_file, open_file
from estimators.counting.tally import Counting, Tally

# Such a piece takes long enough that handing it out costs nothing.
ROWS_IN_PIECE = 2**22
CHUNK_BYTES = 2**20

GroupTallies = Mapping[str, Mapping[str, Tally]]


@dataclass(frozen=True)
class Piece:
    """Some row groups of a Parquet file, or a whole file if `rows` is None.

    Who counts it may stand in another folder, so that the path begins at the root.
    """

    path: Path
    # The file as messages call it.
    name: str
    rows: RowGroups | None = None


@dataclass(frozen=True)
class Digest:
    """The SHA-256 of a whole file, which tells whether it is counted twice."""

    path: Path


def pieces_of(path: Path, survey: Survey) -> Iterator[Piece | Digest]:
    """Yield what there is to do with a file, in order: its digest last."""
    whole = Piece(path.absolute(), str(path))
    if suffix_of(path) == PARQUET:
        with open_file(path) as file:
            for rows in row_groups(file, survey, whole.name, ROWS_IN_PIECE):
                yield replace(whole, rows=rows)
    else:
        yield whole
    yield Digest(whole.path)


def _digest(file: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while chunk := file.read(CHUNK_BYTES):
        digest.update(chunk)
    return digest.hexdigest()


def count_piece(survey: Survey, piece: Piece | Digest) -> GroupTallies | str:
    """Count the reports of a piece by group, or return the digest of a file."""
    with open_file(piece.path) as file:
        if isinstance(piece, Digest):
            return _digest(file)
        if piece.rows is None:
            return count_file(file, Path(piece.name), survey).by_group()
        counting = Counting(survey)
        count_parquet(file, counting, piece.name, part=piece.rows)
        return counting.by_group()
