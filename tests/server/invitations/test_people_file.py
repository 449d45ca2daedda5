"""The list of people as spreadsheets write it, whatever their encoding and separator."""

import pytest

from client.core.primitives.refusal import Refusal
from server.invitations.people_file import MOST_PEOPLE, read_people

ROWS = [("Jürgen Groß", 'Am "Anger" 5; Hof', "a"), ("Zoë, die Ältere", "Weg 7\nKöln", "b")]


def as_csv(separator: str, ending: str) -> str:
    lines = [("name", "Straße", "arm"), *ROWS]
    quoted = (['"' + cell.replace('"', '""') + '"' for cell in line] for line in lines)
    return ending.join(separator.join(cells) for cells in quoted) + ending


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_odd_encodings_separators_quotes_and_endings_are_read(
    encoding: str, separator: str, ending: str
) -> None:
    people = read_people(as_csv(separator, ending).encode(encoding))
    assert people.columns == ("name", "Straße", "arm")
    assert list(people.rows) == ROWS
    assert (people.separator, people.cells("arm")) == (separator, ["a", "b"])


def test_rows_are_numbered_as_in_a_spreadsheet_and_empty_ones_are_left_out() -> None:
    people = read_people(b"name;arm\r\nAnn;a\r\n;\r\n\r\nBob;b\r\n")
    assert (people.numbers, people.cells("name")) == ((2, 5), ["Ann", "Bob"])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "must begin with a line of different column names"),
        (b"name,name\na,b\n", "different column names"),
        (b"name,\na,b\n", "different column names"),
        (b"name,arm\n", "one row per person"),
        (b"name,arm\nAnn,a\nBob\n", "row 3: a row must have 2 cells, got 1"),
        (b'name,arm\n"Ann"x,a\n', "people line 2"),
        (b"name,arm\n\x81\x8d,a\n", "not a CSV file in UTF-8"),
        (b"name\n" + b"x\n" * (MOST_PEOPLE + 1), "at most 10,000 people"),
        (b"name\n" + b"x" * 10_000_000, "at most 10000000 bytes"),
    ],
)
def test_what_is_no_list_is_refused_with_its_place(data: bytes, words: str) -> None:
    with pytest.raises(Refusal) as caught:
        read_people(data)
    assert words in caught.value.message
    assert caught.value.field == "people"


def test_an_unknown_column_is_named_beside_the_known_ones() -> None:
    with pytest.raises(Refusal, match="'age' is not a column of people; it has name, arm"):
        read_people(b"name,arm\nAnn,a\n").cells("age")
