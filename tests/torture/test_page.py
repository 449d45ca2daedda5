"""TORTURE.md keeps what was found: one row is replaced, the others stay."""

from pathlib import Path

from tests.torture import page
from tests.torture.__main__ import ROWS
from tests.torture.row import Outcome, Row

KILLS = Row("kills", "kill -9", "0 lost", 200, "kills", lambda *_: Outcome("", True))
FLIPS = Row("flips", "one bit", "0 unseen", 10, "flips", lambda *_: Outcome("", True))
ORDER = ["kills", "flips"]


def test_a_row_is_replaced_and_the_others_stay(tmp_path: Path) -> None:
    path = tmp_path / "TORTURE.md"
    page.record(path, page.line(FLIPS, Outcome("10 flips, 0 unseen", True), "today, 1"), ORDER)
    page.record(path, page.line(KILLS, Outcome("3 lost", False, "no sync"), "today, 2"), ORDER)
    page.record(path, page.line(KILLS, Outcome("0 lost", True), "tomorrow, 3"), ORDER)
    lines = path.read_text().splitlines()[-2:]
    assert lines[0] == "| kills | kill -9 | 0 lost | 0 lost | yes | tomorrow, 3 |"
    assert lines[1] == "| flips | one bit | 10 flips, 0 unseen | 0 unseen | yes | today, 1 |"


def test_a_figure_that_falls_short_says_why() -> None:
    assert page.line(KILLS, Outcome("3 lost", False, "no sync"), "").reached == "**no**: no sync"


def test_rows_have_names_of_their_own() -> None:
    names = [row.name for row in ROWS]
    assert sorted(set(names)) == sorted(names)
