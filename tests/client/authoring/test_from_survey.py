"""A published survey turned back into a draft keeps every setting: the same fingerprint."""

from typing import Any

import pytest

from client.authoring.draft.from_survey import redraft
from client.authoring.draft.survey import build_survey
from client.authoring.files import read_survey_file
from client.core.document import read_document
from tests.client.authoring.test_order import DRAFT as ORDERED
from tests.support.every_kind import EVERYBODY, SAMPLED
from tests.support.process import ROOT
from tests.support.surveys import with_keys

POLYGLOT: dict[str, Any] = {
    "slug": "trust",
    "language": "de",
    "title": {"de": "Vertrauen", "en": "Trust"},
    "intro": {"de": "Kurz.", "en": "Short."},
    "organizer": "",
    "delete_on": "2999-12-31",
    "total_epsilon": "3",
    "access": "invited",
    "questions": [
        {
            **{"id": "a", "prompt": {"de": "Ja?", "en": "Yes?"}, "decline": "true"},
            "weight": "8",
        },
        {
            **{"id": "b", "kind": "one_of", "prompt": {"de": "Was?", "en": "What?"}},
            "options": [{"de": "Eins", "en": "One"}, {"de": "Zwei", "en": "Two"}],
            "decline": {"de": "Sag ich nicht", "en": "Not telling"},
            "show_if": {"question": "a", "is": ["Ja", "Möchte ich nicht sagen"]},
        },
        {
            **{"id": "c", "kind": "number", "prompt": {"de": "Wie viel?", "en": "How much?"}},
            **{"lo": "0", "hi": "2.5", "step": "0.5", "goal": "distribution"},
            "unit": {"de": "Liter", "en": "litres"},
        },
    ],
}

# Settings that no other example has.
SELDOM: dict[str, Any] = {
    "slug": "seldom",
    "title": "Seldom",
    "epsilon": "1",
    "questions": [
        {
            **{"id": "long", "kind": "one_of", "prompt": "Which?", "mechanism": "ss"},
            **{"options": [f"n{i}" for i in range(3000)], "max_bits": "600"},
        },
        {"id": "yes", "prompt": "Yes?", "options": ["Never", "Ever"], "not_applicable": "None"},
        {
            **{"id": "scale", "kind": "scale", "prompt": "How?", "lo": "-2", "hi": "2"},
            **{"lo_label": "Bad", "hi_label": "Good", "decline": "true"},
        },
        {
            **{"id": "cross", "kind": "cross", "prompt": "Both?", "row_prompt": "A?"},
            **{"rows": ["x", "y", "z"], "column_prompt": "B?", "columns": ["u", "v"]},
        },
    ],
}
DRAFTS = {
    "every kind": EVERYBODY,
    "some of the questions": SAMPLED,
    "several languages": POLYGLOT,
    "random order": ORDERED,
    "seldom settings": SELDOM,
    "a panel": {
        **EVERYBODY,
        "completion": {
            "code": "AB12",
            "redirect": "https://panel.example/?done=1",
            "pass_on": ["PID"],
        },
    },
    "pages of a study": read_survey_file(ROOT / "examples" / "starters" / "mood.yaml"),
    **{
        path.parent.name: read_survey_file(path)
        for path in sorted(ROOT.glob("examples/*/survey.yaml"))
    },
}


@pytest.mark.parametrize("name", DRAFTS)
def test_a_published_document_becomes_a_draft_of_the_same_survey(name: str) -> None:
    survey = build_survey(DRAFTS[name], version=3)
    again = build_survey(redraft(read_document(with_keys(survey).document)), version=3)
    assert again == survey


@pytest.mark.parametrize("name", DRAFTS)
def test_every_setting_of_privacy_is_kept_field_by_field(name: str) -> None:
    survey = build_survey(DRAFTS[name])
    again = build_survey({**redraft(survey), "slug": "a-copy"})
    assert (again.total_epsilon, again.ask_each_person, again.access, again.delete_on) == (
        survey.total_epsilon,
        survey.ask_each_person,
        survey.access,
        survey.delete_on,
    )
    for one, other in zip(again.questions, survey.questions, strict=True):
        assert (one.epsilon, one.mechanism, one.show_if) == (
            other.epsilon,
            other.mechanism,
            other.show_if,
        )
        assert one.kind == other.kind
        assert one.kind.decline == other.kind.decline
        assert one.kind.goal == other.kind.goal


def test_the_draft_says_only_what_has_to_be_said() -> None:
    draft = {
        "slug": "habits",
        "title": "Habits",
        "delete_on": "2999-12-31",
        "questions": [
            {
                **{"id": "smokes", "kind": "yes_no", "prompt": "Smoke?", "epsilon": "1"},
                "options": ["No", "Yes"],
            }
        ],
    }
    assert redraft(build_survey(draft)) == draft


def test_the_mark_of_a_test_is_no_part_of_the_draft() -> None:
    assert build_survey(redraft(build_survey(EVERYBODY, test=True))).document == (
        build_survey(EVERYBODY).document
    )
