"""Count how many public forms open: `python -m tests.benchmarks.forms [FOLDER]`.

Without a folder, the forms of two packages are fetched with pip: the workbooks that ship with
osm-fieldwork, which are used in the field, and the workbooks and tables of pyxform's own tests,
many of which are about a single feature or are meant to fail.
"""

import ast
import io
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import openpyxl
import xlrd

from client.authoring.files import parse_survey_file
from client.core.primitives.refusal import Refusal

PACKAGES = ("osm-fieldwork==0.16.4", "pyxform==1.0.0")
FORMS = (".xlsx", ".xls")
_ILLEGAL = openpyxl.cell.cell.ILLEGAL_CHARACTERS_RE


@dataclass
class Count:
    """How many forms there are, how many open, and what becomes of their rows."""

    forms: int = 0
    opened: int = 0
    # Forms none of whose rows can be asked: only texts, places, files.
    nothing_to_ask: int = 0
    asked: int = 0
    left_out: int = 0

    def add(self, data: bytes) -> None:
        self.forms += 1
        try:
            file = parse_survey_file(data, "form.xlsx")
            survey = file.build_rest()
        except Refusal as refusal:
            self.nothing_to_ask += refusal.code == "nothing_to_ask"
            return
        self.opened += 1
        self.asked += len(survey.questions)
        self.left_out += len(file.left_out)

    def __str__(self) -> str:
        rows = f"{self.asked} questions asked and {self.left_out} rows left out in them"
        return (
            f"{self.opened} of {self.forms} open; {self.nothing_to_ask} ask nothing that can be "
            f"asked; {rows}"
        )


def measure(forms: Iterator[bytes]) -> Count:
    count = Count()
    for data in forms:
        count.add(data)
    return count


def workbooks(folder: Path) -> Iterator[bytes]:
    """Yield every workbook in a folder; those in the old format as if saved in the new one."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() == ".xlsx":
            yield path.read_bytes()
        elif path.suffix.lower() == ".xls":
            yield _saved_anew(path)


def _saved_anew(path: Path) -> bytes:
    old = xlrd.open_workbook(path)
    sheets = [
        (sheet.name, [[_value(cell, old.datemode) for cell in row] for row in sheet.get_rows()])
        for sheet in old.sheets()
    ]
    return _workbook(sheets)


def _value(cell: Any, datemode: int) -> Any:
    if cell.ctype == xlrd.XL_CELL_DATE and cell.value >= 61:
        return xlrd.xldate_as_datetime(cell.value, datemode)
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return bool(cell.value)
    if cell.ctype in (xlrd.XL_CELL_EMPTY, xlrd.XL_CELL_BLANK, xlrd.XL_CELL_ERROR):
        return None
    return _ILLEGAL.sub("", cell.value) if isinstance(cell.value, str) else cell.value


def tables(folder: Path) -> Iterator[bytes]:
    """Yield the forms that Python tests write as tables of Markdown, each once."""
    seen: set[str] = set()
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and text not in seen and re.search(r"\|\s*survey\s*\|", text):
                seen.add(text)
                yield _workbook(_sheets_of(text))


def _sheets_of(text: str) -> list[tuple[str, list[list[Any]]]]:
    sheets: list[tuple[str, list[list[Any]]]] = []
    for line in (line.strip() for line in text.splitlines()):
        first, *cells = [cell.strip() or None for cell in re.split(r"(?<!\\)\|", line)[1:-1]] or [
            None
        ]
        if first:
            sheets.append((first, []))
        if sheets and any(cells):
            sheets[-1][1].append(cells)
    return sheets


def _workbook(sheets: list[tuple[str, list[list[Any]]]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets:
        sheet = book.create_sheet(name[:31])
        for row in rows:
            sheet.append(row)
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


def fetch(package: str, folder: Path) -> Path:
    """Fetch a package with pip and unpack it; return the folder that it is in."""
    target = folder / package
    kind = "--no-binary" if package.startswith("pyxform") else "--only-binary"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--quiet",
        "--quiet",
        "--no-deps",
        kind,
        ":all:",
    ]
    subprocess.run([*pip, "--dest", str(target), package], check=True)
    (archive,) = target.iterdir()
    if archive.suffix == ".whl":
        zipfile.ZipFile(archive).extractall(target)
    else:
        with tarfile.open(archive) as packed:
            packed.extractall(target, filter="data")
    return target


def main(folders: list[str]) -> None:
    for folder in map(Path, folders):
        print(f"{folder}: {measure(workbooks(folder))}")
    if not folders:
        with tempfile.TemporaryDirectory() as name:
            for package in PACKAGES:
                folder = fetch(package, Path(name))
                print(f"{package}, workbooks: {measure(workbooks(folder))}")
                if any(tables(folder)):
                    print(f"{package}, tables in tests: {measure(tables(folder))}")


if __name__ == "__main__":
    main(sys.argv[1:])
