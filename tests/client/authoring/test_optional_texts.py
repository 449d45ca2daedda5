"""Consent and closing page, contact, ethics reference, headings and hints in survey files."""

from pathlib import Path
from typing import Any

import pytest

from client.authoring.draft.from_survey import redraft
from client.authoring.draft.survey import build_survey, read_draft
from client.authoring.files import read_survey_file, write_survey_file
from client.authoring.lint import lint_bytes
from client.authoring.xlsform.writing import Writing
from client.core.document import read_document
from client.core.primitives.refusal import Refusal
from tests.support.process import ROOT


def in_two(en: str, de: str) -> dict[str, str]:
    return {"en": en, "de": de}


TEXTS: dict[str, Any] = {
    "consent": in_two("# Before\n\n- one\n- two", "# Vorher\n\n- eins\n- zwei"),
    "closing": in_two("Thank you.\n\n[Help](https://example.org)", "Danke."),
    "contact": in_two("Ada", "Ada in Bonn"),
    "ethics_reference": in_two("Board 7", "Kommission 7"),
}
DRAFT: dict[str, Any] = {
    "slug": "study",
    "title": in_two("Study", "Studie"),
    **TEXTS,
    "epsilon": "1",
    "questions": [
        {
            "id": "a",
            "heading": in_two("At work", "Bei der Arbeit"),
            "prompt": in_two("Ill?", "Krank?"),
            "hint": in_two("In the last\ntwelve months.", "In den letzten\nzwölf Monaten."),
        },
        {"id": "b", "prompt": in_two("Tired?", "Müde?"), "hint": in_two("Today.", "Heute.")},
    ],
}
PLAIN = {"slug": "s", "title": "S", "epsilon": "1", "questions": [{"id": "q", "prompt": "?"}]}


def changed(field: str, value: Any) -> dict[str, Any]:
    if field in TEXTS:
        return {**DRAFT, field: value}
    first, second = DRAFT["questions"]
    return {**DRAFT, "questions": [{**first, field: value}, second]}


def faults(draft: dict[str, Any]) -> list[tuple[str, str]]:
    return [(fault.code, ".".join(map(str, fault.path))) for fault in read_draft(draft).faults]


def test_every_text_is_there_in_every_language() -> None:
    survey = build_survey(DRAFT)
    german = survey.in_language("de")
    for name, texts in TEXTS.items():
        assert (getattr(survey, name), getattr(german, name)) == (texts["en"], texts["de"])
    assert german.questions[0].heading == "Bei der Arbeit"
    assert german.questions[0].hint == "In den letzten\nzwölf Monaten."
    assert german.questions[1].heading == ""
    assert read_document(survey.document) == survey


@pytest.mark.parametrize("field", [*TEXTS, "heading", "hint"])
def test_the_fingerprint_covers_every_text_in_every_language(field: str) -> None:
    texts = [in_two("One", "Eins"), in_two("Two", "Eins"), in_two("One", "Zwei")]
    assert len({build_survey(changed(field, text)).fingerprint for text in texts}) == 3
    document = build_survey(PLAIN).document
    assert f'"{field}"'.encode() not in document


@pytest.mark.parametrize("field", [*TEXTS, "heading", "hint"])
def test_a_text_that_lacks_a_language_is_a_fault_at_its_field(field: str) -> None:
    ((code, path),) = faults(changed(field, "Only English"))
    assert code == "missing_language"
    assert path.endswith(f"{field}.de")
    ((code, path),) = faults(changed(field, in_two("English", "")))
    assert code == "bad_translation"
    assert path.endswith(f"{field}.de")


@pytest.mark.parametrize(
    ("field", "most"), [("consent", 20_000), ("closing", 20_000), ("contact", 2_000)]
)
def test_a_page_can_be_long_and_no_longer(field: str, most: int) -> None:
    assert build_survey({**PLAIN, field: "x" * most})
    with pytest.raises(Refusal) as caught:
        build_survey({**PLAIN, field: "x" * (most + 1)})
    assert (caught.value.code, caught.value.path) == ("text_too_long", (field,))
    assert f"at most {most} characters" in caught.value.message


@pytest.mark.parametrize("name", ["a.yaml", "a.json", "a.xlsx"])
def test_every_format_holds_every_text(name: str) -> None:
    data = write_survey_file(DRAFT, name)
    again = read_survey_file(data, name)
    assert build_survey(again).document == build_survey(DRAFT).document
    assert write_survey_file(again, name) == data


def test_a_published_survey_becomes_a_draft_with_every_text() -> None:
    draft = redraft(build_survey(DRAFT))
    assert {name: draft[name] for name in TEXTS} == TEXTS
    assert [question.get("hint") for question in draft["questions"]] == [
        question["hint"] for question in DRAFT["questions"]
    ]
    assert "heading" not in draft["questions"][1]


def test_a_workbook_has_a_column_for_every_text_and_language() -> None:
    writing = Writing(DRAFT)
    sheets = writing.sheets()
    settings = writing.headings("settings", sheets["settings"])
    asked = writing.headings("survey", sheets["survey"])
    for name in TEXTS:
        assert {name, f"{name} (de)"} <= set(settings)
    assert {"hint::English (en)", "hint::German (de)"} <= set(asked)
    assert "heading::German (de)" in asked


def test_pages_are_written_to_yaml_as_they_read() -> None:
    text = write_survey_file(DRAFT, "a.yaml").decode()
    assert "consent:\n  en: |-\n    # Before\n\n    - one\n    - two\n" in text


def warnings(**fields: Any) -> list[tuple[str, str, str]]:
    draft = {**PLAIN, "delete_on": "2031-01-01", **fields}
    draft["questions"] = [{"id": "q", "prompt": "?", "decline": "true"}]
    found = lint_bytes(write_survey_file(draft, "a.yaml"), "a.yaml").problems
    return [(problem.code, problem.field, problem.message) for problem in found]


@pytest.mark.parametrize(
    "text",
    ["Call [fill in].", "[bitte ausfüllen]", "[…]", "Name: ____", "TODO", "- **[ number ]**"],
)
@pytest.mark.parametrize("field", [*TEXTS, "intro", "organizer"])
def test_a_placeholder_is_a_warning_at_its_field(field: str, text: str) -> None:
    ((code, place, _),) = warnings(**{field: text})
    assert (code, place) == ("placeholder", field)


@pytest.mark.parametrize(
    "text", ["See [1].", "[our page](https://example.org)", "a_b snake_case", "Todos los días"]
)
def test_what_is_no_placeholder_is_no_warning(text: str) -> None:
    assert warnings(consent=text) == []


def test_one_warning_names_all_placeholders_of_a_text_in_its_language() -> None:
    text = "Call [number] or [other number]."
    (own,) = warnings(closing=text)
    assert own[2].endswith(": [number], [other number]")
    title = in_two("S", "S")
    draft = {**PLAIN, "title": title, "delete_on": "2031-01-01", "closing": in_two("Bye", text)}
    draft["questions"] = [{"id": "q", "prompt": in_two("?", "?"), "decline": "true"}]
    (problem,) = lint_bytes(write_survey_file(draft, "a.yaml"), "a.yaml").problems
    assert problem.path == ("closing", "de")
    assert problem.message.startswith("de: closing still has placeholders")


@pytest.mark.parametrize("address", ["http://example.org", "javascript:x", "example.org", "tel:1"])
def test_a_link_that_would_be_shown_as_text_is_a_warning(address: str) -> None:
    ((code, field, message),) = warnings(consent=f"See [here]({address}).")
    assert (code, field) == ("link_as_text", "consent")
    assert f"[here]({address})" in message


@pytest.mark.parametrize("name", ["conduct", "mood"])
def test_starters_about_harm_leave_helplines_to_their_authors(name: str) -> None:
    path = ROOT / "examples" / "starters" / f"{name}.yaml"
    draft = read_survey_file(path)
    assert not any(sign.isdigit() for sign in draft["closing"])
    unfinished = {
        problem.field
        for problem in lint_bytes(Path(path).read_bytes(), path.name).problems
        if problem.code == "placeholder"
    }
    assert unfinished == {"consent", "closing", "contact", "ethics_reference"}
