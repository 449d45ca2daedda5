"""How often a publication builds or verifies the survey: twice at most, never while writing."""

import json
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from client.authoring.draft.survey import read_draft
from client.core.document import read_document
from server.cli import main
from server.data_folder import DataFolder
from server.store import reading
from server.surveys.researchers import Role
from tests.support.live import JSON, Live
from tests.support.publishing import publish_draft, try_draft
from tests.support.researcher import hire, key_of, logged_in
from tests.workbench.editor.writing import write

Draft = dict[str, Any]
# What was called, and in which thread.
Calls = list[tuple[str, str]]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Every building and every verification from now on, wherever it is called."""
    found: Calls = []

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        def count(*args: Any, **kwargs: Any) -> Any:
            found.append((function.__name__, threading.current_thread().name))
            return function(*args, **kwargs)

        return count

    for original in (read_draft, read_document):
        wrapped = counted(original)
        for name, module in list(sys.modules.items()):
            of_ours = name.partition(".")[0] in ("client", "estimators", "server")
            if of_ours and getattr(module, original.__name__, None) is original:
                monkeypatch.setattr(module, original.__name__, wrapped)
    # Other tests may have published the same bytes.
    reading.survey_from.cache_clear()
    return found


def assert_one_of_each(calls: Calls) -> None:
    """One building by whoever brings the survey, one verification, both before the writing."""
    assert sorted(name for name, _ in calls) == ["read_document", "read_draft"]
    assert "writer" not in {thread for _, thread in calls}


def other(draft: Draft) -> Draft:
    return {**draft, "slug": "vices", "title": "Vices"}


def test_a_publication_through_the_page_builds_once_and_verifies_once(
    live: Live, draft: Draft, calls: Calls
) -> None:
    hire(live, "ana")
    ana, address = logged_in(live, "ana"), write(live, other(draft))
    calls.clear()
    answer = ana.post(f"{address}/publish", revision="1")
    assert answer.status == 303, answer.body.decode()
    assert_one_of_each(calls)


def test_a_publication_through_the_api_builds_once_and_verifies_once(
    live: Live, draft: Draft, calls: Calls
) -> None:
    hire(live, "ana", Role.OWNER)
    headers = {**JSON, **key_of(live, "ana")}
    # A version that is shown was read before the next one comes.
    assert live.get("/s/habits/document.json").status == 200
    calls.clear()
    for body, query in ((other(draft), ""), ({**draft, "title": "Vices"}, "?new_version=true")):
        answer = live.send("POST", f"/api/surveys{query}", json.dumps(body).encode(), headers)
        assert answer.status == 201, answer.body
        assert_one_of_each(calls)
        calls.clear()


def test_a_publication_by_the_command_builds_once_and_verifies_once(
    folder: DataFolder, draft: Draft, tmp_path: Path, calls: Calls
) -> None:
    file = tmp_path / "habits.json"
    file.write_text(json.dumps(draft))
    command = main
    given = ["publish", str(file), "--data", str(folder.path)]
    result = CliRunner().invoke(command, given)
    assert result.exit_code == 0, result.output
    assert_one_of_each(calls)


def test_a_test_is_built_once_and_verified_once(live: Live, draft: Draft, calls: Calls) -> None:
    try_draft(live.services, other(draft))
    assert_one_of_each(calls)


def test_whoever_publishes_between_the_reading_and_the_writing_is_noticed(
    live: Live, draft: Draft, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = [1]
    now = reading.next_version
    # At first, as if version 1 were not there yet.
    monkeypatch.setattr(
        reading, "next_version", lambda db, slug: seen.pop() if seen else now(db, slug)
    )
    survey = publish_draft(live.services, {**draft, "title": "Vices"}, True).published.survey
    assert (survey.version, survey.title) == (2, "Vices")
    assert not seen
