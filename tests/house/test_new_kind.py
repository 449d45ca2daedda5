"""A kind is added through the registries alone, and none of them can be forgotten."""

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from client.authoring import schema
from client.authoring.draft.fields import EVERY_QUESTION
from client.authoring.draft.from_survey import redraft
from client.authoring.draft.kinds import KIND_DECLARATIONS
from client.authoring.draft.places import SurveyFile
from client.authoring.draft.survey import build_survey
from client.authoring.files import parse_survey_file, write_survey_file
from client.authoring.lint import lint_bytes
from client.authoring.xlsform.kinds import SHEET_KINDS
from client.core.assignment import draw_assignment
from client.core.document import read_document
from client.core.kinds import KINDS
from client.core.question import ORDER_KEYS
from client.core.report import Report
from client.core.respond import respond
from client.core.survey import Survey
from client.terminal.prompts import ask
from client.wording.catalogue import ENGLISH
from estimators.counting.tally import Counting
from estimators.planning.lint import lint_file
from estimators.planning.survey_plan import Target, plan_survey
from estimators.tables.table import estimate_table
from server.workbench.editor.form import draft_in_form, question_entries, survey_entries
from server.workbench.editor.remarks import remarks_of
from tests.browser.node import RUNNER, SCRIPTS, in_node
from tests.client.terminal.test_interview import invoke
from tests.support.process import ROOT
from tests.support.toy_kind import SCRIPT, HowOften, add_toy_kind
from tests.vectors.documents import as_field, good
from tests.vectors.responses import response
from tests.vectors.tapes import Tape

TRUE_SHARES = (0.4, 0.3, 0.2, 0.1)
WORDS = 2**32
# A fixed tape: nothing here depends on luck. One run in 16,000 is off by four standard errors.
SURELY = 4


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    if "toy" in request.node.name:
        add_toy_kind(monkeypatch)


def toy_draft(**changed: Any) -> dict[str, Any]:
    question = {"id": "runs", "kind": "how_often", "prompt": "How often do you run?"}
    question |= {"period": "week", "most": "3", "epsilon": "1", **changed}
    return {"slug": "toy", "title": "Toy", "delete_on": "2999-12-31", "questions": [question]}


def toy_survey() -> Survey:
    return build_survey(toy_draft())


def test_a_toy_kind_is_read_checked_and_published() -> None:
    survey = toy_survey()
    assert survey.questions[0].options == tuple(f"{times} per week" for times in range(4))
    assert read_document(survey.document) == survey
    assert build_survey(redraft(survey)).fingerprint == survey.fingerprint
    looked = lint_bytes(json.dumps(toy_draft()).encode(), "toy.json")
    assert [problem.code for problem in looked.problems] == ["no_decline"]
    bad = json.dumps(toy_draft(most="10", period="")).encode()
    found = lint_bytes(bad, "toy.json").problems
    assert [(problem.code, problem.field) for problem in found] == [
        ("empty_text", "questions[0].period"),
        ("bad_scale", "questions[0].most"),
    ]


def test_the_schema_has_a_toy_kind() -> None:
    validator = Draft202012Validator(schema.survey_schema())
    assert validator.is_valid(toy_draft())
    assert not validator.is_valid(toy_draft(most="many"))
    assert not validator.is_valid(toy_draft(options=["a", "b"]))


@pytest.mark.parametrize("name", ["toy.yaml", "toy.json", "toy.xlsx"])
def test_a_toy_kind_can_be_written_to_every_file(name: str) -> None:
    data = write_survey_file(toy_draft(), name)
    assert parse_survey_file(data, name).build() == toy_survey()


def test_the_editor_has_controls_and_words_for_a_toy_kind() -> None:
    draft = toy_draft(most="")
    (entries,) = question_entries(draft)
    titles = {entry.title: entry.says for entry in entries}
    assert titles["Period"] == "The time that is looked at."
    kinds = next(entry for entry in entries if entry.title == "Kind").inputs[0].options
    assert ("how_often", "How often", "How often do you run?") in kinds
    form = {"questions[0].most": "3", "questions[0].period@en": "month"}
    assert draft_in_form(draft, form) == toy_draft(period="month")
    named = {entry.name: entry for part in survey_entries(draft).values() for entry in part}
    problems = lint_file(SurveyFile(draft, {}), "toy", 1000)
    found = remarks_of(draft, problems, {**named, **{e.name: e for e in entries}}, "2026-01-01")
    assert [(remark.entry, remark.says) for remark in found] == [
        ("questions[0].most", "must be a whole number, got ''.")
    ]


def test_answers_to_a_toy_kind_go_from_the_terminal_to_the_estimate() -> None:
    survey = toy_survey()
    (question,) = survey.questions
    answer, shown = invoke(lambda: ask(question, ENGLISH), "2 per week\n")
    assert "2 per week" in shown.output
    assert answer == 2
    truths = np.repeat(np.arange(4), [400, 300, 200, 100]).tolist()
    numbers = np.random.Generator(np.random.SFC64(7)).integers(WORDS, size=40 * len(truths))
    words, counting = Tape(numbers.tolist()), Counting(survey)
    for truth in truths:
        report = respond(survey, draw_assignment(survey, "t"), {"runs": truth}, words)
        arrived = Report.parse(report.wire(survey), survey)
        counting.add(question, arrived.randomized["runs"], 1)
    rows = estimate_table(survey, counting.tallies())
    assert [row["label"] for row in rows] == list(question.options)
    for row, share in zip(rows, TRUE_SHARES, strict=True):
        assert abs(row["share"] - share) < SURELY * row["noise_error"]
    (planned,) = plan_survey(survey, Target(respondents=1000))
    assert planned["margin"] < 0.2


def test_the_page_sends_the_same_bytes_for_a_toy_kind(tmp_path: Path) -> None:
    survey = toy_survey()
    assignment = draw_assignment(survey, "ticket")
    vectors = [
        response(f"respond_toy_{level}", "toy", survey, assignment, {"runs": level}, level)
        for level in range(4)
    ]
    document = good("document_toy", survey.document)
    base = f"{SCRIPTS.as_uri()}/"
    module = tmp_path / "toy.mjs"
    module.write_text(SCRIPT % {"base": base, "runner": RUNNER.as_uri()})
    given = {"documents.jsonl": [document], "responses.jsonl": [document, *vectors]}
    assert in_node("runVectors", base, given, {}, module=module) == {"count": 6, "failed": []}
    # A page that does not know the kind must refuse the document.
    assert in_node("verdicts", base, [as_field(survey.document)]) == ["unknown_kind"]


def test_every_kind_is_in_every_registry() -> None:
    assert list(KIND_DECLARATIONS) == list(KINDS)
    assert list(SHEET_KINDS) == list(KINDS)
    page = SCRIPTS / "core/kinds"
    named = re.findall(
        r'static kind = "(\w+)"', "".join(path.read_text("utf-8") for path in page.glob("*.js"))
    )
    assert set(named) == set(KINDS)


@pytest.mark.parametrize("name", KINDS)
def test_every_field_of_a_kind_is_declared_to_authors_and_in_the_script(name: str) -> None:
    kind, declaration = KINDS[name], KIND_DECLARATIONS[name]
    own = {field.name for field in fields(kind)}
    # In which order options are shown is for the question to say.
    declared = declaration.own.keys() - ORDER_KEYS
    assert own == (declared | (own & EVERY_QUESTION.keys()))
    assert kind.rules.keys() <= own
    told = {field for field in own if declaration.fields[field].form.is_translatable}
    assert told == set(kind.text_fields)


def test_the_files_that_the_guide_names_are_there() -> None:
    guide = (ROOT / "docs/extending.md").read_text("utf-8")
    section = guide.split("## A new kind of question")[1].split("\n## ")[0]
    named = re.findall(r"`((?:client|estimators|server|tests|docs)/[^`*]+)`", section)
    assert len(named) > 10
    for path in named:
        assert (ROOT / path).exists(), path
    assert HowOften.name not in KINDS
