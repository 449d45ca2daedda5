"""Small files that would take much work: the work is counted first, and is never quadratic."""

from collections.abc import Sequence
from typing import Any

import openpyxl
import pytest
from yaml.composer import Composer

from client.authoring import yaml_file
from client.authoring.draft import question
from client.authoring.draft.faults import MAX_FAULTS
from client.authoring.draft.survey import read_draft
from client.authoring.files import MAX_FILE_BYTES, write_survey_file
from client.authoring.xlsform import package
from client.authoring.xlsform.package import MAX_CELL_ELEMENTS, MAX_OTHER_ELEMENTS
from client.authoring.yaml_file import MAX_LINES, MAX_VALUES
from tests.client.authoring.test_hostile_files import SOUND, complaint
from tests.support.workbooks import repacked

STYLES = '<styleSheet xmlns="a"><cellXfs>{}</cellXfs></styleSheet>'


def test_a_mapping_with_many_fields_is_read_in_one_go() -> None:
    """Finding repeated fields must not take quadratic time."""
    text = "".join(f"a{i}: b\n" for i in range(5_000))
    assert "questions" in complaint(text.encode())


def counted(monkeypatch: pytest.MonkeyPatch, where: Any, name: str) -> list[None]:
    """Record each call of a function, which still does its work."""
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
    """Return one question with as many options as possible."""
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
    # Writing checks that the file reads back.
    write_survey_file(long_list(2000, ["en", "de"]), "a.yaml")
    write_survey_file(long_list(2000, ["en", "de", "es", "fr"]), "a.xlsx")


def faulty(questions: int, options: int) -> dict[str, Any]:
    wrong = {"prompt": "", "kind": "one_of", "options": [f"o{i}" for i in range(options)]}
    return {
        **{"slug": "s", "title": "T", "epsilon": "0.01"},
        "questions": [{"id": f"q{i}", **wrong} for i in range(questions)],
    }


def test_a_draft_full_of_faults_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every fault is found in one pass over the draft."""
    looks = counted(monkeypatch, question, "read_kind")
    assert len(read_draft(faulty(60, 100)).faults) == 60
    assert len(looks) == 60


def test_more_questions_than_a_survey_has_are_refused_unread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks = counted(monkeypatch, question, "read_kind")
    (fault,) = read_draft(faulty(101, 1)).faults
    assert (fault.code, fault.path, looks) == ("bad_questions", ("questions",), [])
    assert len(read_draft(faulty(100, 1)).faults) == 100
    assert len(looks) == 100


def test_more_faults_than_anybody_mends_are_counted_and_not_kept() -> None:
    unknown = {f"field_{number}": "x" for number in range(5_000)}
    reading = read_draft({**faulty(1, 2), **unknown})
    assert len(reading.faults) == MAX_FAULTS
    assert reading.survey is None
