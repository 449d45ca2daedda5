"""How often a draft is read through: once for a page or a list of problems, whatever is in it."""

import json
from typing import Any

import pytest

from client.authoring.draft import survey as drafts
from client.authoring.xlsform.workbook import write_workbook
from estimators.planning.lint import lint
from tests.support.live import Live
from tests.support.researcher import Browser
from tests.support.surveys import EVERY_KIND
from tests.workbench.editor.writing import plain, save, write

EMPTY = [{"id": f"q{number}", "kind": "yes_no", "decline": "true"} for number in range(20)]
SOUND = [{**question, "prompt": "Well?"} for question in EMPTY]


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """One entry for each pass over a draft from now on."""
    passes: list[Any] = []
    read = drafts._read

    def counted(*given: Any) -> Any:
        passes.append(given)
        return read(*given)

    monkeypatch.setattr(drafts, "_read", counted)
    return passes


@pytest.mark.parametrize("questions", [EMPTY, SOUND], ids=["empty", "sound"])
def test_an_autosave_with_its_new_page_takes_one_build(
    live: Live, ana: Browser, builds: list[Any], questions: list[dict[str, Any]]
) -> None:
    address = write(live, plain(questions=questions))
    page = ana.get(address)
    assert b"Question 20" in page.body or b"question-20" in page.body
    assert len(builds) == 1
    builds.clear()
    saved = save(ana, address)
    # The page that the form was taken from, and none to save it.
    assert (saved.status, len(builds)) == (303, 1)
    ana.get(address)
    assert len(builds) == 2


@pytest.mark.parametrize("questions", [EMPTY, SOUND], ids=["faults", "sound"])
@pytest.mark.parametrize("respondents", [None, 100])
def test_lint_takes_one_build(
    builds: list[Any], questions: list[dict[str, Any]], respondents: int | None
) -> None:
    data = json.dumps(plain(questions=questions)).encode()
    found = lint(data, "a.json", respondents)
    assert len([problem for problem in found if problem.severity == "error"]) in (0, 20)
    assert len(builds) == 1


def test_a_workbook_is_linted_with_one_build(builds: list[Any]) -> None:
    data = write_workbook(EVERY_KIND)
    builds.clear()
    lint(data, "a.xlsx", 100)
    assert len(builds) == 1
