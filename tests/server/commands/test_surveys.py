"""The commands of a survey's life: publish with days, close with a word or a grace, archive."""

import json
import os
import pty
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from server.cli import main
from server.data_folder import DataFolder
from server.store import reading
from server.store.verify import verify
from server.surveys.states import State
from tests.support.live import Live
from tests.support.process import CANDOR, ROOT

FAR = "2099-12-01"


@pytest.fixture
def file(tmp_path: Path, draft: dict[str, Any]) -> Path:
    path = tmp_path / "habits.json"
    path.write_text(json.dumps(draft))
    return path


@pytest.fixture
def published(folder: DataFolder, file: Path) -> DataFolder:
    assert run(folder, "publish", file).exit_code == 0
    return folder


def run(folder: DataFolder, *arguments: object) -> Result:
    return CliRunner().invoke(
        main,
        [str(item) for item in arguments],
        env={"CANDOR_DATA": str(folder.path)},
    )


def refused(result: Result) -> str:
    """The one line of a refusal."""
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    return line


def state(folder: DataFolder) -> str:
    return str(verify(folder.database).surveys[0]["state"])


def test_days_are_printed_and_kept(folder: DataFolder, file: Path) -> None:
    result = run(folder, "publish", file, "--opens", FAR, "--closes", "2099-12-24")
    assert result.exit_code == 0, result.output
    assert "  opens          2099-12-01 00:00 UTC\n" in result.output
    assert "  open until     2099-12-24 23:59 UTC\n" in result.output
    again = run(folder, "publish", file, "--json")
    assert json.loads(again.output)["state"] == "not_yet_open"
    assert "Already published, not yet open: habits" in run(folder, "publish", file).output


def test_days_reach_the_running_server(live: Live, file: Path) -> None:
    file.write_text(file.read_text().replace("habits", "other"))
    with live.folder.announced(live.url):
        result = run(live.folder, "publish", file, "--opens", FAR, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["opens"] == FAR
    assert reading.newest(live.services.database.reader, "other").state is State.NOT_YET_OPEN


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        (["--opens", "tomorrow"], "opens must be a day such as"),
        (["--closes", "2020-01-01"], "closes must not lie in the past, got 2020-01-01; today is"),
        (["--opens", FAR, "--closes", "2099-11-30"], "closes must not come before opens"),
        (["--draft", "--opens", FAR], "a draft opens at once"),
        (["--draft", "--new-version"], "a draft opens at once"),
    ],
)
def test_choices_that_make_no_sense_are_one_line_and_publish_nothing(
    folder: DataFolder, file: Path, choices: list[str], words: str
) -> None:
    assert words in refused(run(folder, "publish", file, *choices))
    assert not folder.path.exists()


def test_a_draft_is_put_up_and_named_a_test(folder: DataFolder, file: Path) -> None:
    result = run(folder, "publish", file, "--draft")
    assert result.exit_code == 0, result.output
    assert result.output.startswith("TEST of habits, version 1\n")
    assert "http://127.0.0.1:8000/t/habits#" in result.output
    assert "Already" not in run(folder, "publish", file).output


def test_closing_without_a_terminal_needs_a_yes(published: DataFolder) -> None:
    line = refused(run(published, "close", "habits"))
    assert line == "Error: there is no terminal to ask for a confirmation; use --yes"
    assert state(published) == "open"
    result = run(published, "close", "habits", "--yes")
    assert result.exit_code == 0, result.output
    assert result.output.startswith("Closed habits, version 1\n  reports     0\n  digest      ")
    assert "\n  log anchor  " in result.output
    assert state(published) == "closed"


def on_a_terminal(folder: DataFolder, typed: bytes, *arguments: str) -> tuple[int, str]:
    """A command whose input is a real terminal."""
    master, slave = pty.openpty()
    try:
        os.write(master, typed)
        done = subprocess.run(
            [*CANDOR, *arguments, "--data", str(folder.path)],
            cwd=ROOT,
            stdin=slave,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr
    finally:
        os.close(master)
        os.close(slave)


def test_closing_on_a_terminal_asks(published: DataFolder) -> None:
    code, output = on_a_terminal(published, b"n\n", "close", "habits")
    assert code == 2
    assert "Close habits for ever? Nobody can take part after that. [y/N]" in output
    assert output.endswith("Error: nothing was closed\n")
    assert state(published) == "open"
    code, output = on_a_terminal(published, b"y\n", "close", "habits")
    assert code == 0, output
    assert state(published) == "closed"


def test_a_grace_is_said_and_kept_through_the_server(
    live: Live,
) -> None:
    with live.folder.announced(live.url):
        result = run(live.folder, "close", "habits", "--grace", "2", "--yes")
    assert result.exit_code == 0, result.output
    assert result.output.startswith("Closing habits, version 1\n  open pages may send until  20")
    assert reading.newest(live.services.database.reader, "habits").state is State.CLOSING


def test_a_grace_without_a_server_is_kept_in_the_folder(published: DataFolder) -> None:
    result = run(published, "close", "habits", "--grace", "2", "--yes", "--json")
    assert json.loads(result.output)["state"] == "closing"
    line = refused(run(published, "close", "habits", "--grace", "2", "--yes"))
    assert line == "Error: the survey 'habits' is closing: it cannot be closed with a grace"


@pytest.mark.parametrize("hours", ["", "soon", "0", "1000"])
def test_a_grace_that_is_none_closes_nothing(live: Live, hours: str) -> None:
    with live.folder.announced(live.url):
        line = refused(run(live.folder, "close", "habits", "--grace", hours, "--yes"))
    assert "grace must be" in line
    assert reading.newest(live.services.database.reader, "habits").state is State.OPEN


def test_only_a_closed_survey_is_archived(live: Live) -> None:
    with live.folder.announced(live.url):
        line = refused(run(live.folder, "archive", "habits"))
        assert line == "Error: the survey 'habits' is open: it cannot be archived"
        run(live.folder, "close", "habits", "--yes")
        assert run(live.folder, "archive", "habits").output == "Archived habits, version 1\n"
        line = refused(run(live.folder, "close", "habits", "--yes"))
    assert line == "Error: the survey 'habits' is archived: it cannot be closed"
    assert reading.newest(live.services.database.reader, "habits").state is State.ARCHIVED


def test_archiving_without_a_server(published: DataFolder) -> None:
    run(published, "close", "habits", "--yes")
    result = run(published, "archive", "habits", "--json")
    assert json.loads(result.output)["state"] == "archived"
    assert "there is no survey 'nowhere'" in refused(run(published, "archive", "nowhere"))


def test_without_the_operators_key_no_state_changes(live: Live) -> None:
    for path in ("close", "close?grace=1", "archive"):
        answer = live.send("POST", f"/api/surveys/habits/{path}")
        assert (answer.status, answer.code) == (401, "key_missing")
    assert reading.newest(live.services.database.reader, "habits").state is State.OPEN
