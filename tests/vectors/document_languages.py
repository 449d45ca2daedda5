"""Documents in other languages and in several: good ones, and every way to be incomplete."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from tests.vectors.document_parts import BY_MECHANISM, QUESTION, Tree, asked, cross, mechanism

# The texts of each kind of question; they need not mean anything.
TEXTS: dict[str, Tree] = {
    "q1": {"prompt": "Jemals?", "options": ["Nein", "Ja"]},
    "colour": {"prompt": "Farbe?", "options": ["a", "b", "c", "d", "e"]},
    "few": {"prompt": "Welche?", "options": [f"W{number}" for number in range(12)]},
    "trust": {"prompt": "Vertrauen?", "lo_label": "keins", "hi_label": "volles"},
    "drinks": {"prompt": "Wie viel?", "unit": ""},
    "a": {
        "prompt": "Beides?",
        "row_prompt": "Erstens?",
        "rows": ["Nein", "Ja"],
        "column_prompt": "Zweitens?",
        "columns": ["Nie", "Einmal", "Oft"],
    },
}
GERMAN: Tree = {"title": "Eine Umfrage", "intro": "", "organizer": ""}


def overlay(*ids: str, **fields: Any) -> Tree:
    """Return the texts of a translation into another language."""
    silent = {"decline": "", "not_applicable": ""}
    return deepcopy(GERMAN | {"questions": {id: silent | TEXTS[id] for id in ids}} | fields)


def translated(*questions: Tree, **fields: Any) -> Tree:
    """Return a document with a German translation."""
    german = overlay(*(question["id"] for question in questions))
    return asked(*questions, translations={"de": german}) | fields


def good_languages() -> Iterator[tuple[str, Tree]]:
    yield "language_of_its_own", asked(QUESTION, language="de")
    yield "language_with_script_and_region", asked(QUESTION, language="zh-Hant-TW")
    yield "language_with_a_region_by_number", asked(QUESTION, language="es-419")
    yield "translated", translated(QUESTION)
    yield (
        "translated_from_another_language",
        asked(QUESTION, language="de", translations={"en": overlay("q1")}),
    )
    sides = cross("a", "0.5", mechanism("ss", "0.5", options=6, size=2))
    kinds = [BY_MECHANISM[name] for name in ("ss", "privset", "rt", "isw")]
    yield "translated_in_every_kind", translated(QUESTION, *kinds, sides)
    arabic = overlay("q1", title="استبيان")
    arabic["questions"]["q1"] |= {"prompt": "هل سبق لك؟", "options": ["لا", "نعم"]}
    yield (
        "translated_twice",
        asked(QUESTION, translations={"ar": arabic, "de": overlay("q1")}),
    )
    whole = overlay("q1", intro="Zwei\nZeilen", organizer="Eine Uni")
    whole["questions"]["q1"]["decline"] = "Keine Angabe"
    silent = QUESTION | {
        "decline": "Pass",
        "mechanism": mechanism("ss", "1", options=3, size=1),
    }
    yield (
        "translated_with_silence_and_intro",
        asked(silent, intro="Two\nlines", organizer="A university", translations={"de": whole}),
    )


def language_faults() -> Iterator[tuple[str, Tree, str]]:
    for label, value in [
        *(("upper_case", "DE"), ("name", "German"), ("underscore", "de_AT"), ("empty", "")),
        *(("null", None), ("list", ["de"]), ("line_break", "de\n"), ("long", "de-AT-1996")),
    ]:
        yield f"language_{label}", asked(QUESTION, language=value), "bad_language"
    yield "language_usual_but_written", asked(QUESTION, language="en"), "not_canonical"
    yield "translations_none_but_written", asked(QUESTION, translations={}), "not_canonical"
    yield "translations_null", asked(QUESTION, translations=None), "not_an_object"
    yield "translations_a_list", asked(QUESTION, translations=[]), "not_an_object"
    yield "translation_null", asked(QUESTION, translations={"de": None}), "not_an_object"
    yield (
        "translation_into_no_language",
        asked(QUESTION, translations={"De": overlay("q1")}),
        "bad_language",
    )
    yield (
        "translation_into_its_own_language",
        asked(QUESTION, translations={"en": overlay("q1")}),
        "bad_translation",
    )
    many = {f"a{chr(97 + i // 26)}{chr(97 + i % 26)}": overlay("q1") for i in range(30)}
    yield "translations_too_many", asked(QUESTION, translations=many), "bad_translation"
    for name in (*GERMAN, "questions"):
        tree = translated(QUESTION)
        del tree["translations"]["de"][name]
        yield f"translation_missing_{name}", tree, "missing_key"
    yield from _faults_of_texts()
    yield from _faults_of_questions()


def _faults_of_texts() -> Iterator[tuple[str, Tree, str]]:
    faults: list[tuple[str, str, Any, str]] = [
        ("unknown_key", "slug", "s", "unknown_key"),
        ("title_empty", "title", "", "empty_text"),
        ("title_null", "title", None, "not_text"),
        ("title_too_long", "title", "x" * 2001, "text_too_long"),
        ("title_overriding_the_writing_direction", "title", "a\u202eb", "control_character"),
        ("intro_that_the_survey_lacks", "intro", "Hallo", "bad_translation"),
        ("organizer_that_the_survey_lacks", "organizer", "Wir", "bad_translation"),
        ("questions_a_list", "questions", [], "not_an_object"),
        ("questions_none", "questions", {}, "missing_key"),
    ]
    for label, field, value, code in faults:
        tree = translated(QUESTION)
        tree["translations"]["de"][field] = value
        yield f"translation_{label}", tree, code
    yield "translation_without_the_intro", translated(QUESTION, intro="Hello"), "bad_translation"
    yield (
        "translation_without_the_organizer",
        translated(QUESTION, organizer="We"),
        "bad_translation",
    )


def _faults_of_questions() -> Iterator[tuple[str, Tree, str]]:
    for label, field, value, code in [
        ("unknown_key", "epsilon", "2", "unknown_key"),
        ("prompt_empty", "prompt", "", "bad_translation"),
        ("prompt_blank", "prompt", " ", "empty_text"),
        ("prompt_null", "prompt", None, "not_text"),
        ("prompt_a_list", "prompt", ["Jemals?"], "not_text"),
        ("options_text", "options", "Nein", "bad_translation"),
        ("options_one", "options", ["Ja"], "bad_translation"),
        ("options_three", "options", ["Nein", "Ja", "Vielleicht"], "bad_translation"),
        ("options_equal", "options", ["Ja", "Ja"], "bad_options"),
        ("options_empty_label", "options", ["Nein", ""], "empty_text"),
        ("options_a_number", "options", [0, 1], "not_text"),
        ("decline_that_the_survey_lacks", "decline", "Keine Angabe", "bad_translation"),
        ("decline_null", "decline", None, "not_text"),
    ]:
        tree = translated(QUESTION)
        tree["translations"]["de"]["questions"]["q1"][field] = value
        yield f"translation_question_{label}", tree, code
    tree = translated(QUESTION)
    del tree["translations"]["de"]["questions"]["q1"]["options"]
    yield "translation_question_missing_options", tree, "missing_key"
    extra = translated(QUESTION)
    extra["translations"]["de"]["questions"]["q2"] = {}
    yield "translation_of_an_unknown_question", extra, "unknown_key"
    # The same number of cells, but another table.
    sides = cross("a", "0.5", mechanism("ss", "0.5", options=6, size=2))
    turned = translated(sides)
    turned["translations"]["de"]["questions"]["a"] |= {
        "rows": ["Nie", "Einmal", "Oft"],
        "columns": ["Nein", "Ja"],
    }
    yield "translation_of_a_table_turned", turned, "bad_translation"
    unlabelled = translated(BY_MECHANISM["rt"])
    unlabelled["translations"]["de"]["questions"]["trust"]["hi_label"] = ""
    yield "translation_without_the_label_of_an_end", unlabelled, "bad_translation"
