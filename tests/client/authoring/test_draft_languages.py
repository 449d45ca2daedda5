"""Survey files in several languages: complete or refused, randomized the same in all of them."""

from pathlib import Path
from typing import Any

import pytest

from client.authoring.draft.survey import build_survey
from client.authoring.files import read_survey_file
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey

AGE = {"en": "How old are you?", "de": "Wie alt sind Sie?"}


def survey(*questions: dict[str, Any], **fields: Any) -> Survey:
    asked = [{"id": f"q{number}", **item} for number, item in enumerate(questions, start=1)]
    draft = {"slug": "s", "title": "T", "epsilon": "1", "questions": asked, **fields}
    return build_survey(draft)


def bilingual(**question: Any) -> Survey:
    fields = {"prompt": {"en": "Well?", "de": "Nun?"}, **question}
    return survey(fields, title={"en": "A survey", "de": "Eine Umfrage"})


def refusal(*questions: dict[str, Any], **fields: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        survey(*questions, **fields)
    return caught.value


def test_a_survey_without_translations_is_the_same_document_as_before() -> None:
    plain = survey({"prompt": "Well?"})
    assert plain.languages == ("en",)
    assert b"language" not in plain.document
    assert b"translations" not in plain.document


def test_the_language_of_the_file_is_that_of_its_plain_texts() -> None:
    german = survey({"prompt": "Nun?"}, language="de")
    assert german.languages == ("de",)
    assert german.questions[0].options == ("Nein", "Ja")
    assert b'"language":"de"' in german.document


def test_every_text_can_be_given_in_another_language() -> None:
    german = bilingual(
        kind="one_of",
        options=[{"en": "Cat", "de": "Katze"}, {"en": "Dog", "de": "Hund"}],
        decline={"en": "No comment", "de": "Kein Kommentar"},
    ).in_language("de")
    assert german.title == "Eine Umfrage"
    assert german.questions[0].prompt == "Nun?"
    assert german.questions[0].options == ("Katze", "Hund", "Kein Kommentar")


def test_all_kinds_can_be_given_in_another_language() -> None:
    both = {"en": "Both", "de": "Beides"}
    ends = {"lo_label": {"en": "low", "de": "tief"}, "hi_label": {"en": "high", "de": "hoch"}}
    sides = {"row_prompt": both, "column_prompt": both}
    columns = [{"en": "Never", "de": "Nie"}, {"en": "Once", "de": "Einmal"}]
    german = survey(
        {
            "prompt": AGE,
            "kind": "number",
            "lo": "0",
            "hi": "9",
            "unit": {"en": "years", "de": "Jahre"},
        },
        {"prompt": AGE, "kind": "scale", "lo": "0", "hi": "9", **ends},
        {"prompt": AGE, "kind": "cross", **sides, "columns": columns},
        {"prompt": AGE, "kind": "any_of", "options": columns},
        title=both,
        intro=both,
        organizer=both,
    ).in_language("de")
    texts = [question.texts for question in german.questions]
    assert texts[0]["unit"] == "Jahre"
    assert (texts[1]["lo_label"], texts[1]["hi_label"]) == ("tief", "hoch")
    assert (texts[2]["row_prompt"], texts[2]["rows"]) == ("Beides", ("Nein", "Ja"))
    assert texts[2]["columns"] == texts[3]["options"] == ("Nie", "Einmal")
    assert (german.title, german.intro, german.organizer) == ("Beides", "Beides", "Beides")


def test_switched_on_options_have_the_usual_label_of_each_language() -> None:
    asked = bilingual(decline="true", not_applicable="true")
    assert asked.questions[0].options == ("No", "Yes", "Prefer not to say", "Does not apply")
    german = asked.in_language("de").questions[0]
    assert german.options[:2] == ("Nein", "Ja")
    assert len(set(german.options) | set(asked.questions[0].options)) == 8


def test_a_hidden_question_does_not_apply_in_any_language() -> None:
    first = {"prompt": AGE, "options": [{"en": "No", "de": "Nö"}, {"en": "Yes", "de": "Jo"}]}
    second = {"prompt": AGE, "show_if": {"question": "q1", "is": "Yes"}}
    asked = survey(first, second, title=AGE)
    german = asked.in_language("de").questions[1]
    assert german.show_if == asked.questions[1].show_if
    assert german.options[2] not in ("", "Does not apply")


def test_randomizing_does_not_depend_on_the_language() -> None:
    asked = bilingual(kind="one_of", options=[{"en": x, "de": x * 2} for x in "abc"])
    for question, german in zip(asked.questions, asked.in_language("de").questions, strict=True):
        assert (german.id, german.mechanism, german.epsilon) == (
            question.id,
            question.mechanism,
            question.epsilon,
        )
        assert german.domain == question.domain
    assert (
        asked.report_bytes
        == survey({"prompt": "?", "kind": "one_of", "options": list("abc")}).report_bytes
    )


def test_the_fingerprint_covers_the_translations() -> None:
    asked = bilingual()
    other = bilingual(prompt={"en": "Well?", "de": "Na?"})
    assert asked.fingerprint != other.fingerprint
    assert "Eine Umfrage" in asked.document.decode()


@pytest.mark.parametrize(
    ("field", "texts", "place"),
    [
        ("prompt", "Well?", "q1.prompt"),
        ("prompt", {"en": "Well?", "fr": "Eh bien?"}, "q1.prompt"),
        ("options", ["No", "Yes"], "q1.options"),
        ("options", [{"en": "No", "de": "Nein"}, "Yes"], "q1.options"),
        ("decline", "Pass", "q1.decline"),
        ("decline", {"en": "Pass"}, "q1.decline"),
    ],
)
def test_a_text_that_lacks_a_language_is_named_with_it(field: str, texts: Any, place: str) -> None:
    fields = {"prompt": {"en": "Well?", "de": "Nun?"}, field: texts}
    found = refusal(fields, title={"en": "A", "de": "B"})
    assert found.code == "missing_language"
    assert f"{place} is missing in the language 'de', which q1" in found.message or (
        f"{place} is missing in the language 'de', which title has" in found.message
    )


def test_a_text_that_lacks_the_language_of_the_file_is_refused() -> None:
    found = refusal({"prompt": {"de": "Nun?"}})
    assert found.message == "q1.prompt is missing in the language 'en', which the file has"
    found = refusal({"prompt": "Nun?"}, title={"en": "A"}, language="de")
    assert "title is missing in the language 'de'" in found.message


def test_a_title_that_lacks_a_language_is_named() -> None:
    found = refusal({"prompt": AGE})
    assert found.message == "de: title is missing in the language 'de', which q1.prompt has"


@pytest.mark.parametrize("code", ["DE", "german", "de_AT", "", "de-at", "x"])
def test_what_is_no_language_is_refused(code: str) -> None:
    found = refusal({"prompt": {"en": "Well?", code: "Nun?"}})
    assert (found.code, found.path) == ("bad_language", ("questions", 0, "prompt"))
    assert refusal({"prompt": "Well?"}, language=code).code == "bad_language"


def test_labels_that_look_alike_are_refused_in_any_language() -> None:
    alike = [{"en": "Cat", "de": "Tier"}, {"en": "Dog", "de": "TIER"}]
    found = refusal({"prompt": AGE, "kind": "one_of", "options": alike}, title=AGE)
    assert (found.code, found.message[:3]) == ("bad_options", "de:")


def test_labels_that_differ_only_in_what_nobody_sees_are_refused() -> None:
    for twin in ("Yes\u200f", "Ye\u200bs", "Ｙｅｓ"):
        found = refusal({"prompt": "?", "kind": "one_of", "options": ["Yes", twin]})
        assert found.code == "bad_options"


def test_texts_have_the_same_limits_in_every_language() -> None:
    found = refusal({"prompt": {"en": "Well?", "de": "x" * 2001}}, title=AGE)
    assert found.code == "text_too_long"
    assert refusal({"prompt": {"en": "Well?", "de": "a\u202eb"}}, title=AGE).code == (
        "control_character"
    )


def test_yes_stands_last_in_every_language() -> None:
    options = [{"en": "Never", "de": "Ja"}, {"en": "Ever", "de": "Nein"}]
    assert refusal({"prompt": AGE, "options": options}, title=AGE).code == "bad_options"


def test_a_language_without_a_catalogue_needs_its_own_labels() -> None:
    title = {"en": "A", "eo": "B"}
    found = refusal({"prompt": {"en": "Well?", "eo": "Nu?"}}, title=title)
    assert found.code == "no_usual_label"
    options = [{"en": "No", "eo": "Ne"}, {"en": "Yes", "eo": "Jes"}]
    asked = survey({"prompt": {"en": "Well?", "eo": "Nu?"}, "options": options}, title=title)
    assert asked.in_language("eo").questions[0].options == ("Ne", "Jes")


def test_a_file_in_yaml_may_say_no_in_norwegian(tmp_path: Path) -> None:
    path = tmp_path / "survey.yaml"
    path.write_text(
        "slug: s\nlanguage: no\ntitle: Hei\nepsilon: 1\n"
        "questions:\n- id: q1\n  prompt: Vel?\n  options: [Nei, Ja]\n"
    )
    assert build_survey(read_survey_file(path)).languages == ("no",)
