"""CSV for spreadsheets: text that could start a formula is shown, never run."""

import pytest

from client.console.files import csv_text, escape_formula


@pytest.mark.parametrize(
    "text", ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "-", "--1"]
)
def test_a_text_that_starts_like_a_formula_gets_an_apostrophe(text: str) -> None:
    assert escape_formula(text) == f"'{text}"


@pytest.mark.parametrize("value", ["", "No", "1+1", "-1", "+2.5", "'=1", -3, -0.5, None, False])
def test_other_texts_plain_numbers_and_figures_stay(value: object) -> None:
    assert escape_formula(value) == value


def test_a_table_has_its_columns_in_order_and_leaves_out_what_is_in_none() -> None:
    rows: list[dict[str, object]] = [{"b": "=x", "a": 1, "z": 9}, {"a": None}]
    assert csv_text(["a", "b"], rows, ending="\n") == "a,b\n1,'=x\n,\n"
