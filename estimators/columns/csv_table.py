"""Any CSV as columns: randomized ones by their design, the others as numbers or texts."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from client.core.primitives.refusal import Refusal, require, within
from estimators.columns.design_file import Design, RowDesign
from estimators.columns.frame import Frame, Plain
from estimators.columns.randomized import NOT_ASKED, Randomized
from estimators.counting.group_columns import GROUP
from estimators.counting.reports_file import open_file

# Cells that mean "no value".
MISSING = frozenset(("", "NA", "NaN", "nan", "null", "None"))


def read_foreign(path: Path, designs: Mapping[str, Design]) -> Frame:
    """Read a CSV in which the columns that `designs` names are randomized."""
    table = read_table(path)
    needed = [*designs]
    for design in designs.values():
        needed += [design.p_column, design.q_column] if isinstance(design, RowDesign) else []
    for name in needed:
        require(name in table, "unknown_column.csv", name, path=str(path), known=list(table))
    n = len(next(iter(table.values())))
    plain = {name: plain_column(cells) for name, cells in table.items() if name not in designs}
    randomized = {name: _column(name, table[name], designs[name], plain) for name in designs}
    return Frame(n, randomized, plain)


def read_table(path: Path) -> dict[str, Sequence[str]]:
    """Return the cells of every column of a CSV by its heading."""
    with open_file(path) as file:
        text = io.TextIOWrapper(file, "utf-8-sig", errors="replace", newline="")
        reader = csv.reader(text, strict=True)
        try:
            heading = next(reader, [])
            require(len(set(heading)) == len(heading) > 0, "bad_csv.heading", str(path))
            rows = []
            for row in reader:
                # A blank line at the end is no row.
                if row:
                    with within("line", reader.line_num, name=f"{path} line {reader.line_num}"):
                        fits = len(row) == len(heading)
                        require(fits, "bad_csv.cells", wanted=len(heading), got=len(row))
                    rows.append(row)
        except csv.Error as error:
            line = reader.line_num
            raise Refusal("bad_csv.syntax", name=str(path), line=line, reason=error) from None
    require(bool(rows), "no_reports.file", str(path))
    return dict(zip(heading, zip(*rows, strict=True), strict=True))


def plain_column(cells: Sequence[str]) -> Plain:
    """Return numbers, NaN where missing; or texts, "" where missing, if one cell is no number."""
    known = ["nan" if cell.strip() in MISSING else cell for cell in cells]
    try:
        return np.array(known, dtype=np.float64)
    except ValueError:
        return np.array(["" if cell.strip() in MISSING else cell.strip() for cell in cells])


def _column(
    name: str, cells: Sequence[str], design: Design, plain: Mapping[str, Plain]
) -> Randomized:
    places = {_key(label): place for place, label in enumerate(design.reports)}
    codes = np.empty(len(cells), dtype=np.int64)
    for place, cell in enumerate(cells):
        if cell.strip() in MISSING:
            codes[place] = NOT_ASKED
            continue
        found = places.get(_key(cell))
        if found is None:
            raise Refusal("bad_report", name, row=place + 1, known=list(design.reports), got=cell)
        codes[place] = found
    values = plain_column(design.truths)
    numbers = values if values.dtype == np.float64 else None
    if not isinstance(design, RowDesign):
        reports: list[object] = list(range(len(design.reports)))
        return Randomized(name, design.truths, reports, codes, design, numbers)
    chances = [_chances(name, column, plain) for column in (design.p_column, design.q_column)]
    given = codes != NOT_ASKED
    p, q = (column[given] for column in chances)
    valid = (p >= 0) & (p <= 1) & (q >= 0) & (q <= 1) & (p != q)
    for row in np.flatnonzero(given)[~valid][:1].tolist():
        raise Refusal("bad_design.row", name, row=row + 1, p=chances[0][row], q=chances[1][row])
    triples = np.stack((codes[given].astype(np.float64), p, q), axis=1)
    distinct, places_of = np.unique(triples, axis=0, return_inverse=True)
    found_codes = np.full(len(cells), NOT_ASKED, dtype=np.int64)
    found_codes[given] = places_of
    return Randomized(name, design.truths, distinct.tolist(), found_codes, design, numbers)


def _chances(name: str, column: str, plain: Mapping[str, Plain]) -> Plain:
    chances = plain.get(column)
    if chances is None or chances.dtype != np.float64:
        raise Refusal("bad_design.column", name, column)
    return chances


def _key(cell: str) -> str:
    """Return a cell so that 1, 1.0 and " 1" are the same report."""
    try:
        return f"{float(cell):.15g}"
    except ValueError:
        return cell.strip()


def with_attributes(frame: Frame, path: Path) -> Frame:
    """Add the attributes of the groups, from a CSV with a row per group or per level of a factor.

    Its column `group`, or that of the factor, says which.
    """
    table = read_table(path)
    key = next((name for name in (GROUP, *frame.factors) if name in table), GROUP)
    require(key in table, "unknown_column.csv", key, path=str(path), known=list(table))
    groups = list(table[key])
    require(len(set(groups)) == len(groups), "bad_attributes.twice", str(path))
    own = frame.covariate(key)
    places = {group: place for place, group in enumerate(groups)}
    for group in sorted(set(own.tolist()) - {""}):
        require(group in places, "bad_attributes.missing", str(path), group=group)
    # Reports without a group have no attributes: the last place.
    rows = np.array([places.get(group, -1) for group in own.tolist()], dtype=np.int64)
    added = {}
    for name, cells in table.items():
        if name != key:
            require(name not in frame.randomized, "bad_attributes.name", str(path), name=name)
            added[name] = plain_column([*cells, ""])[rows]
    return replace(frame, plain={**frame.plain, **added})
