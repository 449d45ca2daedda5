"""A list of people at the workbench: it comes and leaves with one request, and is kept nowhere."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from client.terminal.transport import SurveyLink
from server.data_folder import DataFolder
from server.surveys.researchers import Role
from tests.support.inviting import in_german_too, ticket_of
from tests.support.live import Live
from tests.support.live import live as run_live
from tests.support.researcher import Browser, hire, logged_in

PAGE = "/workbench/surveys/habits/invitations/people"


@pytest.fixture
def live(folder: DataFolder, draft: dict[str, Any]) -> Iterator[Live]:
    factor = {"id": "arm", "prompt": "Arm?", "levels": ["Control", "Treatment"]}
    groups = {"by": "link", "factors": [factor]}
    with run_live(folder, {**draft, "access": "invited", "groups": groups}) as running:
        hire(running, "edi", Role.EDITOR)
        yield running


@pytest.fixture
def edi(live: Live) -> Browser:
    return logged_in(live, "edi")


def listed(count: int, arms: tuple[str, str] = ("Control", "Treatment")) -> bytes:
    rows = [f"Jürgen Gänsefüß {number};{arms[number % 2]}" for number in range(count)]
    return "\r\n".join(["name;Gruppe", *rows]).encode("cp1252")


def send(edi: Browser, data: bytes, **fields: str) -> Any:
    return edi.upload(PAGE, "people.csv", data, "people", **fields)


def test_a_list_comes_back_with_links_and_labels_and_is_stored_nowhere(
    live: Live, edi: Browser, tmp_path: Path
) -> None:
    assert 'value="arm"' in edi.get(PAGE).body.decode()
    answer = send(edi, listed(40), strata="arm=Gruppe", label="name")
    assert answer.status == 200, answer.body
    with ZipFile(io.BytesIO(answer.body)) as packed:
        files = {name: packed.read(name).decode("utf-8-sig") for name in packed.namelist()}
    assert set(files) == {"links.csv", "labels.html", "notice.txt"}
    rows = list(csv.DictReader(io.StringIO(files["links.csv"]), delimiter=";"))
    assert [row["name"] for row in rows] == [f"Jürgen Gänsefüß {n}" for n in range(40)]
    assert ticket_of(SurveyLink.parse(rows[0]["short_link"]), tmp_path)
    assert files["labels.html"].count("Jürgen Gänsefüß") == 40
    assert live.survey.fingerprint[:4] in files["notice.txt"]
    stored = b"".join(path.read_bytes() for path in live.folder.path.rglob("*") if path.is_file())
    for encoding in ("utf-8", "cp1252"):
        assert "Gänsefüß".encode(encoding) not in stored
    page = edi.get(PAGE).body.decode()
    assert "Candor tells nobody whom to remind" in page
    assert "Answers so far: 0. Links made: 40." in page
    assert "<td>20</td><td>1</td>" in edi.get(PAGE.rpartition("/")[0]).body.decode()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (listed(40, ("Control", "Tretment")), "Row 3, column Gruppe: &#39;Tretment&#39; is not"),
        (listed(38), "Too small: Control (19), Treatment (19)"),
        (b"name;arm\n", "holds no people"),
        (b"x" * 510_000, "at most 500 kB"),
    ],
)
def test_what_is_wrong_with_a_list_is_said_at_the_form(
    live: Live, edi: Browser, data: bytes, words: str
) -> None:
    answer = send(edi, data, strata="arm=Gruppe")
    assert (answer.status, words in answer.body.decode()) == (400, True), answer.body.decode()
    assert live.stored()["invitations"] == []


def test_labels_and_reminder_are_in_the_chosen_language(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    with run_live(folder, in_german_too({**draft, "access": "invited"})) as live:
        hire(live, "edi", Role.EDITOR)
        edi = logged_in(live, "edi")
        page = edi.get(PAGE).body.decode()
        assert '<option selected value="en">English</option>' in page
        assert '<option value="de">Deutsch</option>' in page
        assert "this reminder goes to everybody" in page
        german = edi.get(f"{PAGE}?language=de").body.decode()
        assert '<option selected value="de">Deutsch</option>' in german
        assert '<p lang="de" dir="auto">Erinnerung: Gewohnheiten</p>' in german
        answer = send(edi, b"name\nAnn\n", language="de")
        with ZipFile(io.BytesIO(answer.body)) as packed:
            assert b'<html lang="de" dir="ltr">' in packed.read("labels.html")
        made = live.stored()["invitations"]
        refused = send(edi, b"name\nAnn\n", language="es")
        assert refused.status == edi.get(f"{PAGE}?language=es").status == 400
        assert b"which are en, de, got" in refused.body
        assert live.stored()["invitations"] == made


def test_a_survey_with_one_language_offers_no_choice(edi: Browser) -> None:
    page = edi.get(PAGE).body.decode()
    assert "A reminder" in page
    assert 'name="language"' not in page
    assert 'class="languages"' not in page


def test_viewers_invite_nobody(live: Live) -> None:
    hire(live, "vera", Role.VIEWER)
    vera = logged_in(live, "vera")
    assert 'type="file"' not in vera.get(PAGE).body.decode()
    assert send(vera, listed(40), strata="arm=Gruppe").status == 403
    assert live.stored()["invitations"] == []
