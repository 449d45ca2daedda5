"""The files of `candor curator`: no cell ends a release, and nothing tells of one without noise."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.figures import complaint, figures, run

DRINKS = ("--options", "Tea,Coffee,Milk")
REHEARSED = ("--epsilon", 10, "--seed", 1)


def file_of(folder: Path, *lines: str) -> Path:
    path = folder / f"{len(list(folder.iterdir()))}.csv"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def truths(found: dict[str, Any]) -> list[int]:
    return [row["truth"] for row in found["figures"]]


@pytest.mark.parametrize("command", ["histogram", "top"])
def test_a_file_without_people_is_released_where_who_takes_part_is_private(
    command: str, tmp_path: Path
) -> None:
    """As its neighbour with one person is: a refusal would tell them apart."""
    arguments = (*DRINKS, "--epsilon", "0.1", "--neighbours", "add-or-remove")
    none, one = file_of(tmp_path, "drink"), file_of(tmp_path, "drink", "Tea")
    released = [figures("curator", command, path, *arguments) for path in (none, one)]
    assert released[0].keys() == released[1].keys()
    assert run("curator", command, none, *arguments).exit_code == 0
    assert figures("curator", command, none, *arguments, "--seed", 1)["respondents"] == 0
    assert "there are no answers to count" in complaint(
        "curator", command, none, *DRINKS, "--epsilon", 1
    )


def test_more_than_a_million_people_are_released_like_others(tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    path.write_text("drink\n" + "Tea\n" * 1_000_001)
    found = figures("curator", "histogram", path, *DRINKS, "--epsilon", 10)
    assert found["respondents"] == 1_000_001
    assert abs(found["figures"][0]["release"] - 1_000_001) < 50


@pytest.mark.parametrize("strange", ["Beer", "", "Tea;Milk", "x" * 1000, "–"])
def test_an_answer_that_is_no_option_counts_for_none(strange: str, tmp_path: Path) -> None:
    path = file_of(tmp_path, "id,drink", "1,Tea", f"2,{strange}", "3,milk")
    common = (path, *DRINKS, "--column", "drink")
    found = figures("curator", "histogram", *common, *REHEARSED)
    assert truths(found) == [1, 0, 1]
    assert (found["respondents"], found["unclear_cells"]) == (3, 1)
    assert found["local"]["respondents"] == 2
    for command in ("histogram", "top"):
        released = figures("curator", command, *common, "--epsilon", 1)
        assert released["respondents"] == 3
        assert "unclear_cells" not in released
    text = run("curator", "histogram", *common, *REHEARSED).stdout
    assert "Unclear cells, counted as --help says: 1." in text


def test_a_file_of_strange_answers_only_is_released(tmp_path: Path) -> None:
    path = file_of(tmp_path, "drink", "Beer", "Wine")
    assert truths(figures("curator", "histogram", path, *DRINKS, *REHEARSED)) == [0, 0, 0]
    figures("curator", "top", path, *DRINKS, *REHEARSED)


def test_of_too_many_boxes_the_first_count(tmp_path: Path) -> None:
    """A person in more counts than the noise is made for would be protected less."""
    path = file_of(tmp_path, "likes", "Milk;Beer;Tea;Coffee", "tea;Tea", "Coffee")
    found = figures("curator", "histogram", path, *DRINKS, "--at-most", 2, *REHEARSED)
    assert truths(found) == [2, 1, 1]
    assert found["unclear_cells"] == 1


def test_of_two_options_the_second_is_everybody_else(tmp_path: Path) -> None:
    path = file_of(tmp_path, "drink", "Tea", "Milk", "Beer")
    for neighbours in ("replace", "add-or-remove"):
        found = figures(
            *("curator", "histogram", path, "--options", "Tea,Milk", *REHEARSED),
            *("--neighbours", neighbours),
        )
        assert truths(found) == [1, 2]


@pytest.mark.parametrize(
    ("cell", "counted"),
    [
        ("150", 99),
        ("-3", 18),
        ("1e999999999", 99),
        ("-1e999999999", 18),
        ("1e-999999999", 18),
        ("40.4", 40),
        ("40.000", 40),
        ("4e1", 40),
        ("old", 18),
        ("", 18),
        ("NaN", 18),
        ("Infinity", 18),
    ],
)
def test_a_number_beyond_the_range_counts_as_its_end(
    cell: str, counted: int, tmp_path: Path
) -> None:
    path = file_of(tmp_path, "id,age", f"1,{cell}", "2,50")
    common = ("curator", "mean", path, "--column", "age", "--lo", 18, "--hi", 99)
    found = figures(*common, *REHEARSED)
    assert found["truth"] == pytest.approx((counted + 50) / 2)
    assert found["unclear_cells"] == (cell not in ("40.000", "4e1"))
    assert figures(*common, "--epsilon", 1)["respondents"] == 2


def test_a_bid_that_is_no_number_buys_nothing(tmp_path: Path) -> None:
    path = file_of(tmp_path, "bid", "3.01", "much", "1e30", "3.00999999999999999999")
    found = figures("curator", "price", path, "--prices", "1,3.01", *REHEARSED)
    assert [row["revenue"] for row in found["figures"]] == [3, 6.02]
    figures("curator", "price", path, "--prices", "1,3.01", "--epsilon", 1)


def test_count_reads_cells_as_histogram_does(tmp_path: Path) -> None:
    path = file_of(tmp_path, "drink", "tea", " TEA ", "Tea; milk", "Teapot", "Beer")
    one = figures("curator", "count", path, "--value", " Tea ", *REHEARSED)
    assert [(row["label"], row["truth"]) for row in one["figures"]] == [("Tea", 3)]
    both = figures("curator", "count", path, "--value", "tea", "--value", "Milk", *REHEARSED)
    assert truths(both) == [3, 1]
    boxes = figures("curator", "histogram", path, *DRINKS, "--at-most", 3, *REHEARSED)
    assert truths(boxes) == [3, 0, 1]


def test_blank_lines_are_nobody(tmp_path: Path) -> None:
    path = file_of(tmp_path, "drink", "Tea", "", "   ", "Milk", "", '""')
    # A quoted nothing is how programs write the empty cell of a person in a single column.
    assert figures("curator", "count", path, "--value", "Tea", "--epsilon", 1)["respondents"] == 3
    path = file_of(tmp_path, "id,drink", "1,Tea", "", "2,", " ")
    found = figures("curator", "count", path, "--column", "drink", "--epsilon", 1)
    assert found["respondents"] == 2


@pytest.mark.parametrize(
    "content",
    [b"a,b\nSecret,1\nSecret\n", b"a,b\nSecret,\xff\n", b'a,b\nSecret,"Secret"Secret\n'],
    ids=["ragged", "not UTF-8", "quotes"],
)
def test_a_refusal_of_a_file_quotes_no_cell(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    told = complaint("curator", "count", path, "--column", "a", "--epsilon", 1)
    assert "Secret" not in told
    assert "0xff" not in told


def test_help_says_what_becomes_of_a_file() -> None:
    text = " ".join(run("curator", "--help").stdout.split())
    assert "The first line of FILE is the heading" in text
    assert "Messages about the file are for the curator's eyes: do not publish them." in text
    assert "what is none of the options counts for none of them" in text
    mean = " ".join(run("curator", "mean", "--help").stdout.split())
    assert "A number outside counts as the nearer end" in mean
