"""Files from strangers: bombs, programs and damage are refused in one line; nothing crashes."""

import io
import os
import random
import subprocess
import sys
import zipfile
from pathlib import Path

import openpyxl
import pytest

from client.authoring.draft.survey import build_survey
from client.authoring.files import (
    MAX_FILE_BYTES,
    parse_survey_file,
    read_survey_file,
    write_survey_file,
)
from client.authoring.xlsform import sheets
from client.authoring.xlsform.package import MAX_UNPACKED_BYTES
from client.authoring.xlsform.workbook import write_workbook
from client.core.primitives.refusal import Refusal
from tests.support.process import ROOT
from tests.support.survey_schema import VALIDATOR
from tests.support.surveys import EVERY_KIND
from tests.support.workbooks import repacked, workbook

SURVEY = [["type", "name", "label"], ["select_one yn", "q", "Q?"]]
SOUND = write_workbook(EVERY_KIND)
ROUNDS = 50 if os.environ.get("CANDOR_TORTURE") else 1


def complaint(data: bytes) -> str:
    with pytest.raises(Refusal) as caught:
        parse_survey_file(data, "form.xlsx").build()
    assert "\n" not in caught.value.message
    assert len(caught.value.message) < 600
    return caught.value.message


def with_sheet(content: bytes) -> bytes:
    """Return a valid workbook whose first sheet is replaced."""
    path = "xl/worksheets/sheet1.xml"
    return repacked(SOUND, lambda name, old: content if name == path else old)


def sheet(rows: str) -> bytes:
    namespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    text = f'<worksheet xmlns="{namespace}"><sheetData>{rows}</sheetData></worksheet>'
    return with_sheet(text.encode())


def test_a_workbook_that_unpacks_to_too_much_is_refused_unread() -> None:
    bomb = with_sheet(b" " * (MAX_UNPACKED_BYTES + 1))
    assert len(bomb) < MAX_FILE_BYTES
    assert "must unpack to at most 16777216 bytes" in complaint(bomb)


def test_a_part_that_hides_its_size_is_refused() -> None:
    """The directory of the zip says one byte; more than that is never unpacked."""
    bomb = with_sheet(b" " * (MAX_UNPACKED_BYTES + 1))
    size = (MAX_UNPACKED_BYTES + 1).to_bytes(4, "little")
    assert size in bomb
    assert "is damaged" in complaint(bomb.replace(size, (1).to_bytes(4, "little")))


def test_a_file_above_the_limit_is_refused_before_it_is_opened() -> None:
    assert "at most 2097152 bytes" in complaint(b"PK" + b"\x00" * MAX_FILE_BYTES)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_refused_before_they_can_grow(encoding: str) -> None:
    entities = '<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9)
    )
    text = f'<?xml version="1.0"?><!DOCTYPE x [{entities}]><worksheet>&j;</worksheet>'
    assert "without document types" in complaint(with_sheet(text.encode(encoding)))


def test_another_encoding_cannot_hide_a_document_type() -> None:
    text = b'<?xml version="1.0" encoding="utf-7"?>+ADwAIQ-DOCTYPE x>'
    assert "plain UTF-8" in complaint(with_sheet(text))


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ("xl/vbaProject.bin", "contains macros"),
        ("xl/macrosheets/sheet1.xml", "contains macros"),
        ("xl/externalLinks/externalLink1.xml", "links to other workbooks"),
        ("xl/connections.xml", "uses data from elsewhere"),
        ("xl/embeddings/object1.bin", "contains other files"),
        ("xl/activeX/activeX1.xml", "controls that run programs"),
        ("XL/WORKBOOK.XML", "each once"),
    ],
)
def test_programs_and_links_are_refused(part: str, message: str) -> None:
    assert message in complaint(repacked(SOUND, lambda _, content: content, **{part: b"<x/>"}))


def test_a_formula_without_a_saved_value_is_named_with_its_cell() -> None:
    data = workbook([*SURVEY[:1], ["select_one yn", "q", '=HYPERLINK("http://x","y")']])
    file = parse_survey_file(data, "form.xlsx")
    assert "the formula in C2 has no saved value" in [one.message for one in file.changed][-1]


def test_a_text_that_begins_like_a_formula_is_a_text() -> None:
    draft = {**EVERY_KIND, "title": "=1+1"}
    data = write_workbook(draft)
    assert read_survey_file(data, "form.xlsx")["title"] == "=1+1"
    book = openpyxl.load_workbook(io.BytesIO(data))
    assert book["settings"]["A2"].data_type == "s"


def test_a_cell_that_holds_an_error_is_named() -> None:
    rows = '<row r="1"><c r="A1" t="e"><v>#REF!</v></c></row>'
    file = parse_survey_file(sheet(rows), "form.xlsx")
    assert [one.message for one in file.changed][-1].endswith(
        "A1 has the error value #REF!, so it is not read"
    )


def cell(name: str) -> str:
    row = "".join(filter(str.isdigit, name))
    return f'<row r="{row}"><c r="{name}" t="inlineStr"><is><t>type</t></is></c></row>'


@pytest.mark.parametrize("name", ["A1048576", "A99999999999999999999", "XFD1", "ZZZZZZ1", "A0"])
def test_huge_dimensions_are_refused(name: str) -> None:
    complaint(sheet(cell(name)))


def test_more_rows_or_columns_than_any_survey_has_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sheets, "MAX_ROWS", 20)
    monkeypatch.setattr(sheets, "MAX_COLUMNS", 20)
    rows = "".join(cell(f"A{number}") for number in range(1, 22))
    assert complaint(sheet(rows)) == "survey must have at most 20 rows"
    assert complaint(sheet(cell("U1"))) == "survey must have at most 20 columns"


@pytest.mark.parametrize("data", [b"PK", b"PK\x03\x04", b"PK\x05\x06" + b"\x00" * 18, SOUND[:500]])
def test_a_broken_zip_is_refused(data: bytes) -> None:
    complaint(data)


def test_an_old_or_locked_workbook_is_refused_with_advice() -> None:
    assert "save it as .xlsx" in complaint(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")


def test_any_other_zip_is_no_workbook() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("letter.txt", "Hello")
    assert "is not a workbook (.xlsx)" in complaint(packed.getvalue())


def verdict(data: bytes) -> None:
    """Return a refusal, or a survey that fits the schema; any other error fails the test."""
    try:
        draft = parse_survey_file(data, "form").readable_draft()
        build_survey(draft)
    except Refusal:
        return
    VALIDATOR.validate(draft)


def mutated(data: bytes, dice: random.Random, pieces: list[bytes]) -> bytes:
    changed = bytearray(data)
    for _ in range(dice.choice([1, 1, 1, 2, 5])):
        start = dice.randrange(len(changed))
        stop = start + dice.choice([0, 1, 1, 2, 8, 40])
        changed[start:stop] = dice.choice(
            [b"", dice.randbytes(1), dice.choice(pieces), bytes(changed[start:stop]) * 2]
        )
    return bytes(changed)


YAML_PIECES = [b": ", b"- ", b"\n", b"  ", b"'", b'"', b"{", b"[", b"}", b"]", b"&a", b"*a", b"!!"]
YAML_PIECES += [b"null", b"true", b"1e9", b"kind", b"any_of", b"\x00", b"\xff", "é".encode()]
XML_PIECES = [b"<c>", b"</c>", b"<v>", b'r="A1"', b't="b"', b't="d"', b't="n"', b"&lt;", b"&#0;"]
XML_PIECES += [b"9" * 400, b"1e999", b"-1", b"text", b"select_one", b"<f>1</f>", b"\xff", b"NaN"]


def test_thousands_of_mutated_survey_files_crash_nothing() -> None:
    dice = random.Random(1)
    text = write_survey_file(EVERY_KIND, "a.yaml")
    for _ in range(1000 * ROUNDS):
        verdict(mutated(text, dice, YAML_PIECES))


@pytest.mark.filterwarnings("ignore::UserWarning:openpyxl")
def test_thousands_of_mutated_workbooks_crash_nothing() -> None:
    """Bytes of the zip, and of the parts inside it, where nothing else would notice."""
    dice = random.Random(2)
    for _ in range(400 * ROUNDS):
        verdict(mutated(SOUND, dice, XML_PIECES))
    with zipfile.ZipFile(io.BytesIO(SOUND)) as package:
        names = [name for name in package.namelist() if "theme" not in name]
    for _ in range(600 * ROUNDS):
        chosen = dice.choice([*names, "xl/sharedStrings.xml", "xl/worksheets/sheet1.xml"])
        verdict(
            repacked(
                SOUND,
                lambda name, old, chosen=chosen: (  # type: ignore[misc]
                    mutated(old, dice, XML_PIECES) if name == chosen else old
                ),
            )
        )


def test_the_client_needs_no_library_for_workbooks_until_it_meets_one(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(write_survey_file(EVERY_KIND, "a.yaml"))
    (tmp_path / "a.xlsx").write_bytes(SOUND)
    program = (
        "import sys; from pathlib import Path; sys.modules['openpyxl'] = None\n"
        "import client.__main__\n"
        "from client.authoring.files import load_survey\n"
        "from client.core.primitives.refusal import Refusal\n"
        "load_survey(Path(sys.argv[1]) / 'a.yaml')\n"
        "try: load_survey(Path(sys.argv[1]) / 'a.xlsx')\n"
        "except Refusal as refusal: print(refusal.message)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, tmp_path], cwd=ROOT, capture_output=True, text=True
    )
    assert run.stdout == "workbooks need openpyxl; install it with: pip install openpyxl\n"
