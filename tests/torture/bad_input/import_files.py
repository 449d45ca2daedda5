"""Files that people import, and changes to them: YAML, JSON, workbooks and files of reports."""

import io
import json
import re
import zipfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from xml.sax.saxutils import escape

from client.authoring.files import write_survey_file
from client.core.survey import Survey
from estimators.counting.formats import CSV, JSON_LINES
from estimators.simulation.reports import write_reports
from tests.support.ballots import DRAFT
from tests.support.every_kind import every_kind, reports_to
from tests.support.groups import with_factors
from tests.support.surveys import EVERY_KIND
from tests.torture.bad_input.mutation import PIECES, spoil_bytes, spoil_json, spoil_tree

DRAFTS: tuple[dict[str, Any], ...] = (
    {**DRAFT, "slug": "plain"},
    {**with_factors(DRAFT, "choice"), "slug": "choice"},
    {**EVERY_KIND, "questions": EVERY_KIND["questions"][:3]},
    {**EVERY_KIND, "questions": [EVERY_KIND["questions"][n] for n in (0, 3, 4, 7)]},
)
# In most files: a survey that takes long to read leaves time for few others.
_USUAL = (4, 2, 1, 1)
REPORTS = 4
_YAML = tuple(
    piece.encode("utf-8", errors="surrogatepass")
    for piece in (
        *PIECES,
        *("*a", "&a ", "!!python/object:os.system ", "!!binary ", "? ", "- ", ": ", "|\n", ">-\n"),
        *("---\n", "...\n", "%YAML 9.9\n", "<<: ", "#", "@", "`", "  ", "\n  ", "~", "yes", "0x1F"),
        *("[" * 200, "{" * 200, "- " * 200, "? " * 50, "questions:\n", "2026-01-01", "1_000", "''"),
    )
)
_CSV = (b",", b'"', b'""', b"\r", b"\n", b"\r\n", b";", b"\t", b"null", b"-1", b"[0]", b"=1+1", b"")
_XML = (b"<", b">", b"&", b"</c>", b"<c>", b"&#0;", b"&#xD800;", b"<!--", b"]]>", b"A1", b'"', b"0")
_CELL = re.compile(rb"(?<=>)[^<>]+(?=</)")


def spoil_yaml(dice: Random) -> bytes:
    """Return a YAML file after changes of its lines or bytes."""
    data = _written(dice.choices(range(len(DRAFTS)), _USUAL)[0], ".yaml")
    if dice.random() < 0.5:
        return spoil_bytes(data, dice, _YAML)
    lines = data.splitlines(keepends=True)
    for _ in range(dice.choice((0, 1, 1, 2, 3))):
        at = dice.randrange(len(lines))
        lines[at] = dice.choice(_LINE_CHANGES)(lines[at], dice.choice(lines), dice.choice(_YAML))
    return b"".join(lines)


_LINE_CHANGES: Sequence[Callable[[bytes, bytes, bytes], bytes]] = (
    lambda line, other, piece: b"",
    lambda line, other, piece: line + line,
    lambda line, other, piece: other + line,
    lambda line, other, piece: b"  " + line,
    lambda line, other, piece: line.lstrip(),
    lambda line, other, piece: line.partition(b":")[0] + b": " + piece + b"\n",
    lambda line, other, piece: line.partition(b":")[0] + b":" + other.partition(b":")[2],
    lambda line, other, piece: other.partition(b":")[0] + b":" + line.partition(b":")[2],
)


def spoil_draft(dice: Random) -> bytes:
    """Return a survey file in JSON after changes."""
    return spoil_json(json.dumps(dice.choices(DRAFTS, _USUAL)[0]), dice)


def spoil_workbook(dice: Random) -> bytes:
    """Return a workbook after changes of its bytes, of the XML of a part, or of a cell."""
    data = _written(dice.randrange(len(DRAFTS)), ".xlsx")
    if dice.random() < 0.2:
        return spoil_bytes(data, dice, (b"PK", b"\x00" * 4, b"\xff" * 4, b"xl/"))
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    for _ in range(dice.choice((1, 1, 2))):
        name = dice.choice([name for name in parts if "sheet" in name or dice.random() < 0.2])
        change = spoil_bytes if dice.random() < 0.3 else _spoil_cell
        parts[name] = change(parts[name], dice, _XML)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return packed.getvalue()


def _spoil_cell(content: bytes, dice: Random, _: Sequence[bytes]) -> bytes:
    """Give the text of a cell, or another text in the XML, another value."""
    cells = list(_CELL.finditer(content))
    if not cells:
        return content
    cell = dice.choice(cells)
    other = dice.choice(cells)[0]
    odd = escape(str(spoil_tree([cell[0].decode("utf-8", "replace")], dice)))
    text = dice.choice((other, odd.strip("[]'").encode("utf-8", "replace"), b""))
    return content[: cell.start()] + text + content[cell.end() :]


@cache
def _written(number: int, suffix: str) -> bytes:
    return write_survey_file(DRAFTS[number], f"survey{suffix}")


@cache
def surveys() -> tuple[Survey, ...]:
    """Return the surveys whose reports are imported."""
    return (every_kind(sampled=False), every_kind(sampled=True))


def report_file(folder: Path, number: int, suffix: str) -> bytes:
    """Return a file of a few reports to one of the surveys."""
    survey, path = surveys()[number], folder / f"sound{number}{suffix}"
    write_reports(reports_to(survey, REPORTS), path, survey)
    return path.read_bytes()


def spoil_reports(data: bytes, suffix: str, dice: Random) -> bytes:
    """Return a file of reports after changes; sometimes without any."""
    if dice.random() < 0.05:
        return data
    if suffix == JSON_LINES:
        lines = data.splitlines()
        at = dice.randrange(len(lines))
        lines[at] = spoil_json(lines[at].decode(), dice)
        return b"\n".join(lines)
    return spoil_bytes(data, dice, _CSV if suffix == CSV else (b"\x00" * 4, b"\xff" * 4, b"PAR1"))
