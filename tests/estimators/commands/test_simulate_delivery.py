"""`candor simulate --out` and `--send`: reports to a file or to a survey under test."""

import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from client.authoring.files import read_survey_file
from client.core.primitives.refusal import Refusal
from client.terminal.transport import SurveyLink
from estimators.counting.formats import SUFFIXES
from tests.support.figures import complaint, figures, run, survey_file
from tests.support.live import Live
from tests.support.process import CANDOR, ROOT
from tests.support.publishing import try_draft


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_reports_are_written_to_a_file_that_can_be_estimated(tmp_path: Path, suffix: str) -> None:
    path, out = survey_file(tmp_path), tmp_path / f"reports{suffix}"
    arguments = ("simulate", path, "--respondents", "500", "--seed", "4", "--shares", "0,1")
    result = run(*arguments, "--out", out)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"500 reports written to {out}\n"
    lines = tmp_path / "lines.jsonl"
    run(*arguments, "--out", lines)
    estimates = figures("estimate", out, "--survey", path)
    assert estimates == figures("estimate", lines, "--survey", path)
    assert estimates["n"] == 500


def test_a_file_that_exists_or_has_no_format_is_refused_and_nothing_is_touched(
    tmp_path: Path,
) -> None:
    path = survey_file(tmp_path)
    before = path.read_bytes()
    arguments = ("simulate", path, "--respondents", "5", "--out")
    assert complaint(*arguments, path) == f"{path} exists and is not overwritten"
    other = complaint(*arguments, tmp_path / "reports.txt")
    assert "must end in .jsonl, .csv or .parquet" in other
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == before


def interrupted(arguments: tuple[object, ...], under_way: Callable[[], bool]) -> str:
    """Return what a command says if Ctrl-C is pressed once it is under way."""
    command = [*CANDOR, *map(str, arguments)]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    while not under_way():
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    return errors.strip()


def test_a_key_press_half_way_leaves_no_file(tmp_path: Path) -> None:
    path, out = survey_file(tmp_path), tmp_path / "reports.parquet"

    def under_way() -> bool:
        """Something has been written, beside the name."""
        return any(file.stat().st_size for file in tmp_path.iterdir() if file != path)

    errors = interrupted(("simulate", path, "--respondents", "1e10", "--out", out), under_way)
    assert errors == "Error: stopped"
    assert list(tmp_path.iterdir()) == [path]


@pytest.fixture
def rehearsal(live: Live, tmp_path: Path) -> Live:
    """Serve the survey of the file as a draft under test."""
    survey = try_draft(live.services, read_survey_file(survey_file(tmp_path))).published.survey
    return Live(live.url, live.folder, live.services, survey)


def test_reports_are_handed_in_to_a_test(rehearsal: Live, tmp_path: Path) -> None:
    arguments = ("simulate", tmp_path / "survey.yaml", "--respondents", "30", "--concurrency", "3")
    result = run(*arguments, "--send", f"{rehearsal.url}/t/habits")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "30 of 30 reports are stored, 0 refused\n"
    assert len(rehearsal.stored()["reports"]) == 30


def test_a_live_survey_gets_nothing(live: Live, rehearsal: Live, tmp_path: Path) -> None:
    before = live.stored()
    arguments = ("simulate", tmp_path / "survey.yaml", "--respondents", "30")
    url = f"{live.url}/s/habits"
    reason = complaint(*arguments, "--send", url)
    assert reason.startswith("synthetic reports may only be sent to the test of a draft")
    assert live.stored() == before
    both = complaint(*arguments, "--send", url, "--out", tmp_path / "x.csv")
    assert both.startswith("give either --out or --send")


def test_a_refusal_says_what_is_stored_already(
    rehearsal: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(link: SurveyLink, ticket: str, body: bytes) -> None:
        raise Refusal("survey_closed")

    monkeypatch.setattr(SurveyLink, "hand_in", refuse)
    arguments = ("simulate", tmp_path / "survey.yaml", "--respondents", "30", "--concurrency", "1")
    reason = complaint(*arguments, "--send", f"{rehearsal.url}/t/habits")
    assert reason.endswith("no more reports; 0 of 30 reports are stored, 1 refused")


def test_a_key_press_stops_the_sending_and_says_how_many_are_stored(
    rehearsal: Live, tmp_path: Path
) -> None:
    url = f"{rehearsal.url}/t/habits"
    arguments = ("simulate", tmp_path / "survey.yaml", "--respondents", "1e6", "--send", url)
    errors = interrupted(arguments, lambda: len(rehearsal.stored()["reports"]) > 20)
    account = re.fullmatch(
        r"([0-9,]+) of 1,000,000 reports are stored, 0 refused\s+Error: stopped", errors
    )
    assert account is not None, errors
    assert int(account[1].replace(",", "")) == len(rehearsal.stored()["reports"])
