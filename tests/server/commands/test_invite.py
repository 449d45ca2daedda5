"""`candor invite`, and answering with the links that it makes."""

import csv
import json
import stat
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from client import __main__
from client.terminal.transport import SurveyLink
from server.cli import main
from server.data_folder import DataFolder
from tests.support.inviting import personal
from tests.support.live import Live
from tests.support.qr import texts_in

Draft = dict[str, Any]
ARM = {"id": "arm", "prompt": "Arm", "levels": ["The new one", "The old one"]}


def candor(live: Live, *arguments: object) -> Result:
    with live.folder.announced(live.url, "https://surveys.example.org"):
        return CliRunner().invoke(
            main,
            ["invite", "habits", *map(str, arguments), "--data", str(live.folder.path)],
        )


def test_the_command_writes_the_links_once_for_their_owner_only(
    sites: Live, tmp_path: Path
) -> None:
    staff = sites
    out = tmp_path / "links.csv"
    result = candor(staff, "--count", 25, "--group", "site=north", "--out", out)
    assert result.exit_code == 0, result.output
    told, *compared = result.output.splitlines()
    assert told == f"Wrote 25 personal links to {out}"
    assert compared[-2:] == ["  surveys.example.org/s/habits", f"  {digits(staff)}"]
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    with out.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert {row["group"] for row in rows} == {"north"}
    for row in rows:
        address, code = row["short_link"].split("#")
        # Before the code stands the digit of its group.
        assert (address, len(code)) == ("https://surveys.example.org/s/habits", 18)
        assert code.startswith("0-")
        assert row["link"].endswith(f";{code}")
    links = [SurveyLink.parse(row["link"]) for row in rows]
    assert len({link.invitation for link in links}) == 25
    for link in links:
        assert link.fingerprint == staff.survey.fingerprint
    assert candor(staff, "--count", 25, "--group", "north", "--out", out).exit_code == 2
    assert len(staff.stored()["invitations"]) == 25
    assert "north: links made: 25, tickets given: 0\n" in candor(staff, "--status").output


def test_publishing_says_how_a_survey_by_invitation_gets_its_links(
    folder: DataFolder, draft: Draft, tmp_path: Path
) -> None:
    file = tmp_path / "survey.json"
    for access in ("open", "invited"):
        file.write_text(json.dumps({**draft, "slug": access, "access": access}))
        result = CliRunner().invoke(
            main,
            ["publish", str(file), "--data", str(folder.path)],
        )
        assert result.exit_code == 0, result.output
        assert ("candor invite invited --count N" in result.output) == (access == "invited")


@pytest.mark.parametrize(
    ("fields", "has_plain_link"),
    [
        ({}, True),
        ({"access": "invited"}, False),
        ({"groups": {"by": "link", "factors": [ARM]}}, False),
        ({"groups": {"by": "choice", "factors": [ARM]}}, True),
    ],
)
def test_publishing_prints_no_link_that_takes_no_reports(
    folder: DataFolder, draft: Draft, tmp_path: Path, fields: Draft, has_plain_link: bool
) -> None:
    file = tmp_path / "survey.json"
    file.write_text(json.dumps({**draft, **fields}))

    def published(*options: str) -> str:
        command = ["publish", str(file), *options, "--data", str(folder.path)]
        return CliRunner().invoke(main, command).output

    # In a test, the plain link works for everybody.
    assert "\n  answer  " in published("--draft")
    output = published()
    assert ("\n  answer  " in output) == has_plain_link
    own = "candor invite habits --open-link --group 'arm=The new one'"
    assert (own in output) == (fields.get("groups", {}).get("by") == "link")


def test_the_command_prints_the_open_link_and_draws_it(live: Live, tmp_path: Path) -> None:
    qr, picture = tmp_path / "poster.svg", tmp_path / "poster.png"
    result = candor(live, "--qr", qr)
    expected = f"https://surveys.example.org/s/habits#{live.survey.fingerprint}\n"
    assert (result.exit_code, result.output) == (0, expected)
    assert b"<svg" in qr.read_bytes()
    assert candor(live, "--qr", picture).exit_code == 0
    assert texts_in(picture.read_bytes()) == [expected.strip()]
    assert "must end in one of .svg, .png" in candor(live, "--qr", tmp_path / "poster.gif").output
    assert candor(live, "--open-link", "--kiosk").output == f"{expected.strip()};kiosk\n"


def test_every_group_has_an_open_link(arms: Live) -> None:
    plain = f"https://surveys.example.org/s/habits#{arms.survey.fingerprint}"
    grouped = candor(arms, "--open-link", "--group", "arm=arm-b").output
    assert grouped.startswith(f"{plain};1.")
    assert "arm-a: fewer than 20 reports\n" in candor(arms, "--status").output
    arms.fill(45, "arm-a")
    assert "arm-a: at least 40 reports\n" in candor(arms, "--status").output
    for group in ((), ("--group", "arm=x")):
        refused = candor(arms, "--open-link", *group)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert "its levels are arm-a, arm-b, arm-c" in refused.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--count", 5, "--status"],
        ["--open-link", "--out", "x.csv"],
        ["--status", "--kiosk"],
        ["--count", 0],
    ],
)
def test_choices_that_make_no_sense_are_refused(live: Live, arguments: list[object]) -> None:
    assert candor(live, *arguments).exit_code == 2
    assert live.stored()["invitations"] == []


def digits(live: Live) -> str:
    """What people compare."""
    fingerprint = live.survey.fingerprint
    return " ".join(fingerprint[place : place + 4] for place in range(0, 32, 4))


def answer(live: Live, outbox: Path, fragment: str, *options: str) -> Result:
    url = f"{live.url}/s/habits#{fragment}"
    return CliRunner().invoke(
        __main__.main, ["answer", url, "--outbox", str(outbox), *options], input="y\n2\n1\ny\n"
    )


def test_the_terminal_answers_with_a_personal_link_and_tells_the_group(
    sites: Live, tmp_path: Path
) -> None:
    staff = sites
    code = personal(staff, 20, "north")[0]
    first = answer(staff, tmp_path / "first", f"{staff.survey.fingerprint};{code}")
    assert first.exit_code == 0, first.output
    assert "They also see the group of your link: north." in first.output
    assert "  Sent as it is, not randomized: north\n" in first.output
    second = answer(staff, tmp_path / "second", code)
    assert (second.exit_code, "begun on another device" in second.output) == (2, True)
    missing = answer(staff, tmp_path / "third", "")
    assert (missing.exit_code, "open the whole link" in missing.output) == (2, True)
    assert len(staff.stored()["reports"]) == 1


def test_the_terminal_compares_a_short_link_with_the_letter(staff: Live, tmp_path: Path) -> None:
    (code,) = personal(staff)
    told = digits(staff)
    other = answer(staff, tmp_path, code, "--expect", told[:-1])
    assert (other.exit_code, "must be at least 32" in other.output) == (2, True)
    other = answer(staff, tmp_path, code, "--expect", told[:-1] + ("1" if told[-1] == "0" else "0"))
    assert (other.exit_code, "is not the expected one" in other.output) == (2, True)
    assert staff.stored()["reports"] == []
    first = answer(staff, tmp_path, code.upper(), "--expect", told.upper())
    assert first.exit_code == 0, first.output
    host = staff.url.removeprefix("http://")
    assert f"  {host}/s/habits\n  {told}\n" in first.output
    assert "These digits must be the same for everybody" in first.output
    assert len(staff.stored()["reports"]) == 1
