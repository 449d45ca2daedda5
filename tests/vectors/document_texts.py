"""Documents with the optional texts of a survey and of its questions."""

from collections.abc import Iterator
from typing import Any

from tests.vectors.document_languages import overlay
from tests.vectors.document_parts import QUESTION, Tree, asked

ALL_TEXTS = {
    "consent": "# What this is\n\n- One\n- **Two**\n\nSee [more](https://example.org/).",
    "closing": "Thank you.\nHelp: [fill in]",
    "contact": "Ada, ada@example.org",
    "ethics_reference": "2026-113",
}
QUESTION_TEXTS = ("heading", "hint")
MOST = {"consent": 20_000, "closing": 20_000, "contact": 2_000, "ethics_reference": 2_000}


def good_texts() -> Iterator[tuple[str, Tree]]:
    yield "consent_and_closing", asked(QUESTION, **ALL_TEXTS)
    for name, most in MOST.items():
        yield f"{name}_alone", asked(QUESTION, **{name: ALL_TEXTS[name]})
        # The longest page is in one vector only, for its size.
        length = 2_001 if name == "closing" else most
        yield f"{name}_long", asked(QUESTION, **{name: "é" + "x" * (length - 1)})
    german = overlay("q1", **{name: f"Deutsch: {text}" for name, text in ALL_TEXTS.items()})
    yield "consent_translated", asked(QUESTION, **ALL_TEXTS, translations={"de": german})
    for name in QUESTION_TEXTS:
        yield f"question_{name}", asked({**QUESTION, name: "More"})
        yield f"question_{name}_long", asked({**QUESTION, name: "é" + "x" * 1999})
    both = {**QUESTION, **dict.fromkeys(QUESTION_TEXTS, "More")}
    yield "question_texts_translated", asked(both, translations={"de": hinted(*QUESTION_TEXTS)})


def hinted(*names: str, text: Any = "Mehr") -> Tree:
    """Return a German translation in which the question has these texts."""
    german = overlay("q1")
    german["questions"]["q1"] |= dict.fromkeys(names, text)
    return german


def text_faults() -> Iterator[tuple[str, Tree, str]]:
    for name, most in MOST.items():
        faults: list[tuple[str, Any, str]] = [
            ("empty_but_written", "", "not_canonical"),
            ("null", None, "not_text"),
            ("a_list", [], "not_text"),
            ("too_long", "x" * (most + 1), "text_too_long"),
            ("with_a_tab", "a\tb", "control_character"),
            ("overriding_the_writing_direction", "a\u202eb", "control_character"),
        ]
        for label, value, code in faults:
            yield f"{name}_{label}", asked(QUESTION, **{name: value}), code
            if code in ("not_text", "control_character"):
                german = overlay("q1", **{name: value})
                both = asked(QUESTION, **{name: "Yes"}, translations={"de": german})
                yield f"translation_{name}_{label}", both, code
        yield (
            f"translation_without_the_{name}",
            asked(QUESTION, **{name: "Yes"}, translations={"de": overlay("q1")}),
            "bad_translation",
        )
        yield (
            f"translation_{name}_that_the_survey_lacks",
            asked(QUESTION, translations={"de": overlay("q1", **{name: "Ja"})}),
            "bad_translation",
        )
    yield from question_text_faults()
    blank = overlay("q1", consent="")
    yield (
        "translation_consent_empty_in_both",
        asked(QUESTION, translations={"de": blank}),
        "not_canonical",
    )


def question_text_faults() -> Iterator[tuple[str, Tree, str]]:
    for name in QUESTION_TEXTS:
        faults: list[tuple[str, Any, str]] = [
            ("empty_but_written", "", "not_canonical"),
            ("null", None, "not_text"),
            ("a_list", [], "not_text"),
            ("too_long", "x" * 2001, "text_too_long"),
            ("with_a_tab", "a\tb", "control_character"),
        ]
        told = {**QUESTION, name: "More"}
        for label, value, code in faults:
            yield f"question_{name}_{label}", asked({**QUESTION, name: value}), code
            german = hinted(name, text=value)
            wanted = "bad_translation" if value == "" else code
            fault = asked(told, translations={"de": german})
            yield f"translation_question_{name}_{label}", fault, wanted
        yield (
            f"translation_question_without_the_{name}",
            asked(told, translations={"de": overlay("q1")}),
            "missing_key",
        )
        yield (
            f"translation_question_{name}_that_the_survey_lacks",
            asked(QUESTION, translations={"de": hinted(name)}),
            "unknown_key",
        )
