"""A second version adds to what the first one revealed, and the terminal says so, like the page."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.client.terminal.test_answer import rehearsal_of, reports, run_answer
from tests.support.live import Live
from tests.support.publishing import publish_draft

WARNING = "This device has already sent answers to another version of this survey."
ANSWERS = "2\n1\ny\n"


@pytest.fixture
def outbox(tmp_path: Path) -> Path:
    return tmp_path / "outbox"


def next_version(live: Live, draft: dict[str, Any], title: str) -> Live:
    changed = publish_draft(live.services, {**draft, "title": title}, new_version=True)
    return Live(live.url, live.folder, live.services, changed.published.survey)


def test_who_answers_a_second_version_is_told_before_the_first_question(
    live: Live, draft: dict[str, Any], outbox: Path
) -> None:
    first = run_answer(live, outbox, ANSWERS)
    assert WARNING not in first.output
    second = run_answer(next_version(live, draft, "Vices"), outbox, ANSWERS)
    assert second.exit_code == 0, second.output
    assert second.output.index(WARNING) < second.output.index("Do you smoke?")
    assert len(reports(live)) == 2


def test_the_same_version_again_and_another_server_are_no_second_version(
    live: Live, draft: dict[str, Any], outbox: Path
) -> None:
    run_answer(live, outbox, ANSWERS)
    assert WARNING not in run_answer(live, outbox, "").output
    (file,) = outbox.iterdir()
    elsewhere = file.read_text().replace(live.url, "https://example.org")
    file.write_text(elsewhere)
    assert WARNING not in run_answer(next_version(live, draft, "Vices"), outbox, ANSWERS).output


def test_a_rehearsal_is_no_second_version(live: Live, draft: dict[str, Any], outbox: Path) -> None:
    run_answer(live, outbox, ANSWERS)
    rehearsal = run_answer(rehearsal_of(live, draft), outbox, ANSWERS)
    assert rehearsal.exit_code == 0, rehearsal.output
    assert WARNING not in rehearsal.output


def test_the_device_keeps_nothing_more_than_the_address_of_the_survey(
    live: Live, outbox: Path
) -> None:
    run_answer(live, outbox, ANSWERS, fragment=f"#{live.survey.fingerprint}")
    (file,) = outbox.iterdir()
    kept = json.loads(file.read_text())
    assert kept.keys() == {"ticket", "body", "sent", "survey", "group"}
    assert (kept["ticket"], kept["group"]) == ("", "")
    assert kept["survey"] == f"{live.url}/s/habits"


def test_a_damaged_file_is_no_second_version(
    live: Live, draft: dict[str, Any], outbox: Path
) -> None:
    outbox.mkdir()
    for number, content in enumerate(["{", "[]", '{"ticket": ""}', "null"]):
        (outbox / f"{number:064}.json").write_text(content)
    answered = run_answer(live, outbox, ANSWERS)
    assert answered.exit_code == 0, answered.output
    assert WARNING not in answered.output
