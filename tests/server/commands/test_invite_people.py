"""`candor invite --people`: one link per row with its stratum, and no name stays on the server."""

import csv
import io
import stat
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from client.core.tickets.ticket import read
from client.terminal.transport import SurveyLink
from server.cli import main
from server.data_folder import DataFolder
from tests.support.inviting import in_german_too, ticket_of
from tests.support.live import Live
from tests.support.live import live as run_live
from tests.support.qr import texts_in

LEVELS = {"arm": ["Control", "Treatment"], "age": ["Under 30", "30 or older"]}
PEOPLE, NAME, STREET = 5000, "Jürgen Gänsefüß", "Am Ölberg"


@pytest.fixture
def study(folder: DataFolder, draft: dict[str, Any]) -> Iterator[Live]:
    factors = [{"id": id, "prompt": f"{id}?", "levels": LEVELS[id]} for id in LEVELS]
    groups = {"by": "link", "factors": factors}
    with run_live(folder, {**draft, "access": "invited", "groups": groups}) as running:
        yield running


@pytest.fixture
def bilingual(folder: DataFolder, draft: dict[str, Any]) -> Iterator[Live]:
    with run_live(folder, in_german_too({**draft, "access": "invited"})) as running:
        yield running


def candor(live: Live, *arguments: object) -> Result:
    with live.folder.announced(live.url, "https://surveys.example.org"):
        command = ["invite", "habits", *map(str, arguments), "--data", str(live.folder.path)]
        return CliRunner().invoke(main, command)


def people_file(folder: Path, count: int = PEOPLE, **changed: str) -> Path:
    """A list as a German spreadsheet writes it."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
    writer.writerow(["name", "street", "arm", "age"])
    for number in range(count):
        arm, age = LEVELS["arm"][number % 2], LEVELS["age"][number // 2 % 2]
        row = {"name": f"{NAME} {number}", "street": f'{STREET} "{number}"', "arm": arm, "age": age}
        writer.writerow((row | (changed if number == 7 else {})).values())
    path = folder / "people.csv"
    path.write_bytes(text.getvalue().encode("utf-8-sig"))
    return path


def merged(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file, delimiter=";"))


def test_everybody_gets_a_link_of_their_stratum_and_no_name_is_stored(
    study: Live, tmp_path: Path
) -> None:
    out = tmp_path / "merge.csv"
    result = candor(study, "--people", people_file(tmp_path), "--strata", "arm,age", "--out", out)
    assert result.exit_code == 0, result.output
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    rows = merged(out)
    assert len({row["short_link"] for row in rows}) == len(rows) == PEOPLE
    assert rows[4321]["name"] == f"{NAME} 4321"
    assert rows[4321]["street"] == f'{STREET} "4321"'
    for row in rows[:8]:
        link = SurveyLink.parse(row["short_link"].replace("https://surveys.example.org", study.url))
        ticket = ticket_of(link, tmp_path / link.invitation)
        digits = [LEVELS["arm"].index(row["arm"]), LEVELS["age"].index(row["age"])]
        assert read(ticket).group == "-".join(map(str, digits))
        assert study.post(study.report(), ticket).status == 201
    stored = b"".join(path.read_bytes() for path in study.folder.path.rglob("*") if path.is_file())
    for told in (NAME, STREET, rows[0]["short_link"].split("#")[1]):
        assert told.encode() not in stored
        assert told.encode("utf-16-le") not in stored
    counted = candor(study, "--status").output
    assert counted.count("links made: 1,250, tickets given: 2") == 4


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"age": "29"}, "row 9, column age: '29' is not one of the levels Under 30, 30 or older"),
        ({"arm": ""}, "row 9, column arm: '' is not one of the levels Control, Treatment"),
        ({"more": "x"}, "row 9: a row must have 4 cells, got 5"),
    ],
)
def test_one_bad_row_makes_no_link(
    study: Live, tmp_path: Path, changed: dict[str, str], words: str
) -> None:
    out = tmp_path / "merge.csv"
    result = candor(study, "--people", people_file(tmp_path, 100, **changed), "--out", out)
    assert (result.exit_code, words in result.output) == (2, True), result.output
    assert not out.exists()
    assert study.stored()["invitations"] == []


def test_small_strata_make_no_link(study: Live, tmp_path: Path) -> None:
    result = candor(study, "--people", people_file(tmp_path, 79))
    assert result.exit_code == 2
    assert "Too small: Treatment, 30 or older (19). Without arm or age, all" in result.output
    assert study.stored()["invitations"] == []


def test_a_sheet_and_pictures_come_with_the_links(study: Live, tmp_path: Path) -> None:
    out, sheet, codes = (tmp_path / name for name in ("merge.csv", "labels.html", "codes"))
    files = ["--out", out, "--sheet", sheet, "--label", "name,street", "--qr-folder", codes]
    result = candor(study, "--people", people_file(tmp_path, 80), *files)
    assert result.exit_code == 0, result.output
    rows, page = merged(out), sheet.read_text()
    assert stat.S_IMODE(sheet.stat().st_mode) == 0o600
    for row in rows:
        assert row["short_link"] in page
        assert f"{row['name']}\n" in page
        assert texts_in((codes / row["qr"]).read_bytes()) == [row["short_link"]]
    assert Counter(path.suffix for path in codes.iterdir()) == {".png": 80}


def test_a_reminder_is_for_everybody_and_says_why(study: Live, tmp_path: Path) -> None:
    candor(study, "--people", people_file(tmp_path, 80), "--out", tmp_path / "merge.csv")
    result = candor(study, "--reminder")
    assert result.exit_code == 0, result.output
    assert "Answers so far: 0. Links made: 80." in result.stdout
    assert "goes to everybody" in result.stdout
    assert "Candor tells nobody whose link has a ticket" in result.stderr
    assert "surveys.example.org/s/habits\n" in result.stdout


def test_sheet_and_reminder_are_in_the_language_that_is_asked_for(
    bilingual: Live, tmp_path: Path
) -> None:
    sheet = tmp_path / "labels.html"
    made = candor(bilingual, "--count", 1, "--sheet", sheet, "--language", "de")
    assert made.exit_code == 0, made.output
    assert '<html lang="de" dir="ltr">' in sheet.read_text()
    assert "Persönliche Links: Gewohnheiten" in sheet.read_text()
    assert candor(bilingual, "--reminder").stdout.startswith("Reminder: Habits\n")
    german = candor(bilingual, "--reminder", "--language", "de").stdout
    assert german.startswith("Erinnerung: Gewohnheiten\n")
    assert "Erstellte Links: 1." in german


def test_a_language_that_the_survey_lacks_makes_no_link_and_no_file(
    bilingual: Live, tmp_path: Path
) -> None:
    sheet, people = tmp_path / "labels.html", tmp_path / "list.csv"
    people.write_text("name\nAnn\n")
    for way in (["--count", 1], ["--people", people], ["--reminder"]):
        file = ["--out" if way == ["--reminder"] else "--sheet", sheet]
        result = candor(bilingual, *way, *file, "--language", "es")
        assert result.exit_code == 2
        assert "one of the survey's languages, which are en, de, got 'es'" in result.output
    assert not sheet.exists()
    assert bilingual.stored()["invitations"] == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["--count", 30, "--strata", "arm"],
        ["--status", "--sheet", "x.html"],
        ["--status", "--out", "x.csv"],
        ["--count", 30, "--people", "x.csv"],
        ["--count", 30, "--language", "en"],
    ],
)
def test_options_that_do_not_belong_together_are_refused(
    study: Live, arguments: list[object]
) -> None:
    assert candor(study, *arguments).exit_code == 2
    assert study.stored()["invitations"] == []
