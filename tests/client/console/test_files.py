"""CSV for spreadsheets: text that could start a formula is shown, never run."""

import csv
import io
import re

import pytest

from client.console.files import csv_text, escape_formula


@pytest.mark.parametrize(
    "text", ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "-", "--1"]
)
def test_a_text_that_starts_like_a_formula_gets_an_apostrophe(text: str) -> None:
    assert escape_formula(text) == f"'{text}"


@pytest.mark.parametrize("text", ["＝1", "＋1", "－1", "＠A1", "a;=1+1", "a; ＝1", "a\n@b", " =1"])
def test_neither_full_width_signs_nor_another_separator_begin_a_formula(text: str) -> None:
    """Excel splits at semicolons where a comma is the decimal sign."""
    for cell in re.split(r"[;\n]", escape_formula(text)):
        assert not re.match(r"\s*[=+@＝＋－＠-]", cell)
    assert escape_formula(text).replace("'", "") == text


@pytest.mark.parametrize("value", ["", "No", "1+1", "-1", "+2.5", "'=1", -3, -0.5, None, False])
def test_other_texts_plain_numbers_and_figures_stay(value: object) -> None:
    assert escape_formula(value) == value


def test_a_table_has_its_columns_in_order_and_leaves_out_what_is_in_none() -> None:
    rows: list[dict[str, object]] = [{"b": "=x", "a": 1, "z": 9}, {"a": None}]
    assert csv_text(["a", "b"], rows, ending="\n") == '"a","b"\n1,"\'=x"\n,\n'


def test_texts_are_quoted_and_any_reader_gets_them_back() -> None:
    texts = ['say "hi"', "a;b", "a,b", "two\r\nlines", "", " spaces ", "0x1", "1e5"]
    written = csv_text(["n", "text"], [{"n": 1.5, "text": text} for text in texts])
    assert [row[1] for row in csv.reader(io.StringIO(written, newline=""))][1:] == texts
    assert all(line.startswith(('"n"', "1.5,", 'lines"')) for line in written.splitlines())
