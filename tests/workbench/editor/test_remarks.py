"""What the editor says of a draft: what is missing, where, and what the questions can tell."""

import ast
import html
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import pytest

from client.authoring.draft.fields import SURVEY
from client.authoring.draft.kinds import KIND_DECLARATIONS
from client.authoring.draft.places import SurveyFile
from client.core.primitives.refusal import sentences
from estimators.planning.lint import lint_file
from server.workbench.editor.form import question_entries, survey_entries
from server.workbench.editor.remarks import remarks_of
from server.workbench.editor.wording import FORM
from tests.support.live import Live
from tests.support.process import ROOT
from tests.support.researcher import Browser
from tests.workbench.editor.writing import Draft, kept, plain, remarks, save, write
from tests.workbench.test_pages import words

DECLINE = {"decline": "true"}
ONE: Draft = {"id": "q1", "prompt": "One?", **DECLINE}


def at(page: str, id: str) -> str:
    """What stands in the page from there on to the end of that part."""
    found = re.search(rf'id="{re.escape(id)}".*?</(?:div|section)>', page, re.DOTALL)
    return html.unescape(found[0]) if found else ""


def test_what_is_missing_stands_at_its_field_and_in_the_list_with_a_link(
    live: Live, ana: Browser
) -> None:
    few = {"id": "q2", "kind": "one_of", "prompt": "Which?", "options": ["only"], **DECLINE}
    address = write(live, plain(slug="No slug", questions=[*plain()["questions"], few]))
    page = ana.get(address).body.decode()
    assert "Must be lower-case letters" in at(page, "slug-said")
    assert "At least 2 are needed, got 1." in at(page, "questions[1].options-said")
    assert remarks(ana, address) == [
        "Deletion day: please choose a day; respondents are told it before they answer.",
        "Name in links: must be lower-case letters, digits and inner hyphens, at most 63, "
        "got 'No slug'.",
        "Question 2, “Which?”: Options: at least 2 are needed, got 1.",
    ]
    # The link leads to a control that is there, and that is marked.
    (target,) = re.findall(r'href="#(questions[^"]*)"', page)
    control = page.partition(f'id="{unquote(target)}"')[2].partition(">")[0]
    assert 'aria-invalid="true"' in control
    assert "Still missing: 3" in words(ana.get(address))


def test_an_author_who_is_quoted_is_quoted_as_written(live: Live, ana: Browser) -> None:
    label = "must not be empty"
    odd = {"id": "q1", "kind": "one_of", "prompt": "Which?", "options": [label, label]}
    assert remarks(ana, write(live, plain(questions=[odd])))[1:] == [
        f"Question 1, “Which?”: Options: the label '{label}' appears twice."
    ]


def test_a_missing_translation_is_told_with_its_language(live: Live, ana: Browser) -> None:
    told = {"en": "One?", "de": ""}
    address = write(live, plain(title={"en": "T", "de": "T"}, questions=[{**ONE, "prompt": told}]))
    assert remarks(ana, address)[1:] == [
        "Question 1, “One?”: Question text (de): please fill this in."
    ]
    assert "questions%5B0%5D.prompt%40de" in ana.get(address).body.decode()


NONSENSE: list[Any] = [
    *("", "x y", "-1", "0", "99", "many", "x" * 2001, "a\x07", ["a"], ["a", "a"], [" a", "b"]),
    *(["Yes", "No"], ["a", "b"] * 300, {"en": "x", "de": "y"}, {"en": "x", "de": ""}, {"xx": ""}),
    *({"question": "q9", "is": ["No"]}, {"question": "q1", "is": ["Maybe"]}, {"is": ["x"]}),
    *({"question": "q1", "is": []}, {"question": "q1"}, "sw", "rr", "true", "eo"),
]
# What only files speak of: names of fields and kinds, ids, places.
FILE_WORDS = re.compile(
    r"\w+_\w+|questions\[|\bq[123]\b|\b(?:slug|prompt|lo|hi|field|YAML|mapping|show|rr|sw|id|rows|columns)\b"
)


# Not about a draft, but about making one of a published survey.
OF_COPIES = {"not_the_same.copy"}


def faulty_drafts() -> Iterator[Draft]:
    for kind, declaration in KIND_DECLARATIONS.items():
        declared = declaration.fields
        sound = {
            name: list(field.example) if isinstance(field.example, tuple) else field.example
            for name, field in declared.items()
            if field.required
        }
        for name in [*declared, "colour"]:
            for value in NONSENSE:
                question = {**sound, "id": "q2", "kind": kind, name: value}
                yield plain(questions=[ONE, question])
            yield plain(questions=[ONE, {n: v for n, v in question.items() if n != name}])
    for name in SURVEY.keys() - {"questions"}:
        for value in NONSENSE:
            yield plain(**{name: value})
    yield plain(questions=[ONE, ONE])
    yield plain(questions=[{**ONE, "epsilon": "1"}])
    yield plain(total_epsilon="0.01", questions=[ONE, {**ONE, "id": "q2"}])


def test_no_sentence_speaks_the_language_of_files() -> None:
    """Whatever is wrong with a draft; sentences may quote what its author wrote."""
    count = 0
    for draft in faulty_drafts():
        groups = [*survey_entries(draft).values(), *question_entries(draft)]
        entries = {entry.name: entry for group in groups for entry in group}
        problems = lint_file(SurveyFile(draft, {}), "the survey", 100)
        for remark in remarks_of(draft, problems, entries, "2026-01-01T00:00:00Z"):
            count += 1
            own = re.sub("""'[^']*'|"[^"]*"|“[^”]*”""", "", f"{remark.about}: {remark.says}")
            assert not FILE_WORDS.search(own), own
            known = ("total", "respondents", "problems", "questions[0]", "questions[1]", *entries)
            assert remark.entry in known
    assert count > 1000


def raised_by_drafts() -> set[str]:
    """Every key of the catalogue that stands in the modules a draft is read and linted with."""
    folders = [ROOT / "client/authoring/draft", ROOT / "client/core/kinds"]
    paths = [path for folder in folders for path in folder.glob("*.py")]
    paths += [ROOT / f"client/core/{name}.py" for name in ("question", "survey", "translation")]
    paths += [ROOT / f"client/core/primitives/{name}.py" for name in ("channel", "values")]
    paths += [ROOT / "client/authoring/lint.py", ROOT / "estimators/planning/lint.py"]
    nodes = [node for path in paths for node in ast.walk(ast.parse(path.read_text()))]
    texts = {node.value for node in nodes if isinstance(node, ast.Constant)}
    return {key for key in sentences() if key in texts}


def test_every_fault_that_a_draft_can_have_is_told_in_the_words_of_the_form() -> None:
    keys = raised_by_drafts()
    assert len(keys) > 60
    for key in keys - OF_COPIES:
        told = sentences().get(f"{key}@{FORM}", sentences()[key])
        assert not re.search(r"\{(?:part|place|source|fitting)\b", told), key
        assert not FILE_WORDS.search(re.sub(r"\{[^}]*\}", "", told)), key


def test_what_nobody_knows_can_be_taken_away(live: Live, ana: Browser) -> None:
    odd = plain(colour="red", questions=[{**ONE, "optons": ["a"]}])
    address = write(live, odd)
    assert remarks(ana, address)[1:] == [
        "'colour' is unknown here and has no effect.",
        "Question 1, “One?”: 'optons' is unknown here and has no effect.",
    ]
    save(ana, address)
    assert kept(live, address) == odd
    save(ana, address, "forget")
    assert kept(live, address) == plain()


def test_a_day_that_is_over_is_told_before_publishing(live: Live, ana: Browser) -> None:
    (said,) = remarks(ana, write(live, plain(delete_on="2020-01-01")))
    assert said.startswith("Deletion day: must be later than today, got 2020-01-01; today is")
    assert remarks(ana, write(live, plain(delete_on="2999-12-31"))) == []


def test_too_few_respondents_are_one_remark_in_the_words_of_the_form(
    live: Live, ana: Browser
) -> None:
    questions = [{**ONE, "id": f"q{number}"} for number in range(6)]
    address = write(live, plain(delete_on="2999-12-31", questions=questions))
    (said,) = remarks(ana, address)
    assert said == (
        "Planned respondents: 1,000 are too few for margins of 10 percentage points in 6 of 6 "
        "questions. What helps: 6,463 respondents; or a total epsilon of 4 (moderate protection) "
        "and 1,560 respondents; or 1 question per person and 1,231 respondents."
    )


def test_figures_of_sound_questions_stay_while_others_have_faults(live: Live, ana: Browser) -> None:
    questions = [ONE, {"id": "q2"}, {**ONE, "id": "q3", "weight": "8"}]
    sound = write(live, plain(questions=[*questions[:1], {**ONE, "id": "q2"}, *questions[2:]]))
    broken = write(live, plain(slug="No slug", questions=questions))
    pages = [ana.get(address).body.decode() for address in (sound, broken)]
    for index in (0, 2):
        here, there = (at(page, f"beside-{index}") for page in pages)
        assert "percentage points" in here
        assert here == there
    assert "appear when the question is complete" in at(pages[1], "beside-1")
    assert at(pages[0], "total") == at(pages[1], "total")
    assert "Not shown yet: question 2. Something is missing there." in words(ana.get(broken))
    document = ana.get(re.findall('iframe [^>]*src="([^"]*)"', pages[1])[0] + "/document.json")
    assert [question["id"] for question in document.json["questions"]] == ["q1", "q3"]
    assert document.json["test"] is True


def test_a_question_that_cannot_be_helped_keeps_its_part_of_the_total(
    live: Live, ana: Browser
) -> None:
    scale = {"id": "q2", "kind": "scale", "prompt": "?", "lo": "0", "hi": "3", "weight": "8"}
    here, there = (
        at(ana.get(write(live, plain(questions=[ONE, question]))).body.decode(), "beside-0")
        for question in (scale, {**scale, "decline": "2"})
    )
    assert "percentage points" in here
    assert here == there


@pytest.mark.parametrize("changed", [{"total_epsilon": "11"}, {"ask_each_person": "9"}])
def test_no_figure_is_made_up_where_the_budget_cannot_be_read(
    live: Live, ana: Browser, changed: Draft
) -> None:
    address = write(live, plain(questions=[ONE, {**ONE, "id": "q2"}], **changed))
    page = ana.get(address).body.decode()
    assert "appear when the epsilons are valid" in at(page, "beside-0")
    assert "The sum appears when the epsilons are valid" in at(page, "total")
    assert "percentage points" not in page
    assert "<iframe" not in page
    assert ana.get(f"{address}/t/plain/document.json").status == 400


def test_a_question_that_hangs_on_a_faulty_one_waits_for_it(live: Live, ana: Browser) -> None:
    first = {"id": "q1", "kind": "one_of", "prompt": "Which?", "options": ["a", "a", "b"]}
    rule = {"question": "q1", "is": ["b"]}
    address = write(live, plain(questions=[first, {**ONE, "id": "q2", "show_if": rule}]))
    page = ana.get(address).body.decode()
    # Without the rule it would have other odds.
    assert "appear when the question is complete" in at(page, "beside-1")
    assert "<iframe" not in page


def test_translations_that_are_missing_change_no_figure(live: Live, ana: Browser) -> None:
    address = write(live, plain())
    before = at(ana.get(address).body.decode(), "beside-0")
    save(ana, address, languages="en, de")
    page = ana.get(address).body.decode()
    assert "percentage points" in at(page, "beside-0")
    assert at(page, "beside-0") == before
    assert "<iframe" in page


def test_beside_each_question_stand_margin_mechanism_and_odds(live: Live, ana: Browser) -> None:
    address = write(live, plain(questions=[{"id": "q1", "prompt": "One?"}], total_epsilon="1"))
    save(ana, address, respondents="5000")
    page = words(ana.get(address))
    # The example of the planner: 4,997 respondents give 3 percentage points.
    assert "Margin at 5,000 ± 3 percentage points" in page
    assert "Randomizer randomized response" in page
    assert "73 of 100" in page
    assert "1 strong" in page
    answer = save(ana, address, respondents="many")
    assert answer.status == 400
    assert "Planned respondents: must be a whole number, got 'many'." in words(answer)
