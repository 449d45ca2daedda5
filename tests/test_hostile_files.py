"""Files of strangers: bombs, programs and damage are refused in one line, and nothing crashes."""

import io
import os
import random
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from yaml.composer import Composer

from client import mending, yaml_file
from client.draft import build_survey
from client.refusal import Refusal
from client.survey_file import MAX_FILE_BYTES, parse_survey_file, read_survey_file
from client.survey_writing import write_survey_file
from client.xlsform import package, sheets
from client.xlsform.package import MAX_CELL_ELEMENTS, MAX_OTHER_ELEMENTS, MAX_UNPACKED_BYTES
from client.xlsform.workbook import write_workbook
from client.yaml_file import MAX_LINES, MAX_VALUES
from tests.survey_schema import VALIDATOR
from tests.surveys import EVERY_KIND
from tests.workbooks import repacked, workbook

ROOT = Path(__file__).parent.parent
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
    """A sound workbook whose first sheet is replaced."""
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
        ("xl/connections.xml", "draws on data elsewhere"),
        ("xl/embeddings/object1.bin", "has other files embedded"),
        ("xl/activeX/activeX1.xml", "controls that run programs"),
        ("XL/WORKBOOK.XML", "each once"),
    ],
)
def test_programs_and_links_are_refused(part: str, message: str) -> None:
    assert message in complaint(repacked(SOUND, lambda _, content: content, **{part: b"<x/>"}))


def test_a_formula_is_refused_with_its_cell() -> None:
    data = workbook([*SURVEY[:1], ["select_one yn", "q", '=HYPERLINK("http://x","y")']])
    assert complaint(data).startswith("survey, cell C2: must hold a text or a number, no formula")


def test_a_text_that_begins_like_a_formula_is_a_text() -> None:
    draft = {**EVERY_KIND, "title": "=1+1"}
    data = write_workbook(draft)
    assert read_survey_file(data, "form.xlsx")["title"] == "=1+1"
    book = openpyxl.load_workbook(io.BytesIO(data))
    assert book["settings"]["A2"].data_type == "s"


def test_a_cell_that_holds_an_error_is_refused() -> None:
    rows = '<row r="1"><c r="A1" t="e"><v>#REF!</v></c></row>'
    assert complaint(sheet(rows)).startswith("survey, cell A1: holds an error")


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
    assert "is no workbook (.xlsx)" in complaint(packed.getvalue())


def test_a_mapping_with_many_fields_is_read_in_one_go() -> None:
    """Looking for repeated fields must not take the square of their number."""
    text = "".join(f"a{i}: b\n" for i in range(5_000))
    assert "questions" in complaint(text.encode())


def counted(monkeypatch: pytest.MonkeyPatch, where: Any, name: str) -> list[None]:
    """One entry for each call of a function, which still does its work."""
    calls: list[None] = []
    work = getattr(where, name)

    def watched(*args: Any, **kwargs: Any) -> Any:
        calls.append(None)
        return work(*args, **kwargs)

    monkeypatch.setattr(where, name, watched)
    return calls


@pytest.mark.parametrize(
    "text",
    [
        b"a: [" + b"a," * 20_000 + b"a]",
        b"a: [" + b"{a}," * 20_000 + b"a]",
        b'{"a":[' + b"1," * 20_000 + b"1]}",
        ("a: [" + "a," * 20_000 + "a]").encode("utf-16"),
    ],
    ids=["list", "mappings", "json", "utf-16"],
)
def test_values_are_not_read_beyond_the_limit(monkeypatch: pytest.MonkeyPatch, text: bytes) -> None:
    monkeypatch.setattr(yaml_file, "MAX_VALUES", 1000)
    read = counted(monkeypatch, Composer, "compose_node")
    assert complaint(text) == "a survey file must have at most 1000 fields and values"
    assert len(read) == 1000


@pytest.mark.parametrize("line", [b"- a\n", b"%A b\n", b"#\r", b"\n"])
def test_more_lines_than_any_survey_has_are_refused_unread(
    monkeypatch: pytest.MonkeyPatch, line: bytes
) -> None:
    read = counted(monkeypatch, Composer, "compose_node")
    message = complaint(b"a:\n" + line * (MAX_LINES + 1))
    assert message == f"form.xlsx must have at most {MAX_LINES} lines"
    assert read == []


STYLES = '<styleSheet xmlns="a"><cellXfs>{}</cellXfs></styleSheet>'


@pytest.mark.parametrize(
    ("part", "content"),
    [
        ("xl/worksheets/sheet1.xml", "<row>" + "<c/>" * (MAX_CELL_ELEMENTS + 1) + "</row>"),
        ("xl/worksheets/sheet2.xml", "<row/>" * (MAX_CELL_ELEMENTS + 1)),
        ("xl/styles.xml", STYLES.format("<xf/>" * (MAX_OTHER_ELEMENTS + 1))),
    ],
)
def test_a_small_file_with_a_huge_sheet_is_refused_before_it_is_parsed(
    monkeypatch: pytest.MonkeyPatch, part: str, content: str
) -> None:
    parsed = counted(monkeypatch, openpyxl, "load_workbook")
    data = repacked(SOUND, lambda name, old: content.encode() if name == part else old)
    assert len(data) < MAX_FILE_BYTES / 20
    assert "has more cells, texts or styles than any survey" in complaint(data)
    assert parsed == []


def long_list(options: int, languages: Sequence[str]) -> dict[str, Any]:
    """One question, as long as a question may be."""
    labels = [{code: f"{code} {number}" for code in languages} for number in range(options)]
    question = {
        **{"id": "q", "kind": "one_of", "epsilon": "1", "options": labels},
        "prompt": dict.fromkeys(languages, "Which?"),
    }
    return {"slug": "s", "title": dict.fromkeys(languages, "T"), "questions": [question]}


def test_the_longest_list_keeps_within_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """20,000 options in two languages as YAML and in four as a workbook, here at a tenth."""
    monkeypatch.setattr(yaml_file, "MAX_VALUES", MAX_VALUES // 10)
    monkeypatch.setattr(yaml_file, "MAX_LINES", MAX_LINES // 10)
    monkeypatch.setattr(package, "MAX_CELL_ELEMENTS", MAX_CELL_ELEMENTS // 10)
    # What is written is proven to read back.
    write_survey_file(long_list(2000, ["en", "de"]), "a.yaml")
    write_survey_file(long_list(2000, ["en", "de", "es", "fr"]), "a.xlsx")


def faulty(questions: int, options: int) -> dict[str, Any]:
    wrong = {"prompt": "", "kind": "one_of", "options": [f"o{i}" for i in range(options)]}
    return {
        **{"slug": "s", "title": "T", "epsilon": "0.01"},
        "questions": [{"id": f"q{i}", **wrong} for i in range(questions)],
    }


def test_a_large_draft_full_of_faults_is_not_looked_through_for_each_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The work is looks times size: a hundred times the options must not take a hundred times."""
    looks = counted(monkeypatch, mending, "build_survey")
    assert len(mending.mend(faulty(60, 10)).faults) == 60
    few = len(looks)
    assert len(mending.mend(faulty(60, 1000)).faults) < 10
    assert (len(looks) - few) * 60 * 1000 <= mending.MAX_LOOKED_AT


def verdict(data: bytes) -> None:
    """Either a refusal, or a survey within the schema; any other error fails the test."""
    try:
        draft = parse_survey_file(data, "form").sound_draft()
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
        "from client.survey_file import load_survey\n"
        "from client.refusal import Refusal\n"
        "load_survey(Path(sys.argv[1]) / 'a.yaml')\n"
        "try: load_survey(Path(sys.argv[1]) / 'a.xlsx')\n"
        "except Refusal as refusal: print(refusal.message)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, tmp_path], cwd=ROOT, capture_output=True, text=True
    )
    assert run.stdout == "workbooks need openpyxl; install it with: pip install openpyxl\n"
