"""The published schema of survey files agrees with the reader, field by field."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from client.authoring.draft.fields import IS_BETWEEN, IS_OPTION, SURVEY
from client.authoring.draft.kinds import KIND_DECLARATIONS
from client.authoring.draft.survey import build_survey
from client.authoring.files import read_survey_file
from client.authoring.schema import schema_bytes, survey_schema
from client.core.primitives.refusal import Refusal
from server.cli import main
from tests.support.every_kind import EVERYBODY, SAMPLED
from tests.support.figures import run
from tests.support.live import Live
from tests.support.process import ROOT
from tests.support.survey_schema import VALIDATOR, says_yes
from tests.support.surveys import EVERY_KIND

EXAMPLES = ROOT / "examples"

# Faults of single fields, and of fields that must or must not be there, are in the schema too.
SAYABLE = frozenset(
    "missing_field unknown_field not_a_mapping not_text text_too_long control_character empty_text "
    "bad_slug bad_id bad_delete_on bad_language bad_access bad_answer_from bad_goal "
    "unknown_kind not_an_integer "
    "not_a_decimal epsilon_not_a_decimal epsilon_out_of_range two_budgets weight_without_total "
    "bad_questions bad_flag".split()
)
# Faults that involve two fields or two texts; only the reader finds them.
READER_ONLY = frozenset(
    "bad_options bad_at_most bad_scale bad_number bad_weight bad_max_bits bad_show_if "
    "bad_anchored bad_ask_each_person bad_completion bad_translation mechanism_does_not_fit "
    "missing_language "
    "no_room_for_silence no_usual_label repeated_question total_epsilon_too_large".split()
)


def fault(draft: Any) -> str | None:
    try:
        build_survey(draft)
    except Refusal as refusal:
        return refusal.code
    return None


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(survey_schema())


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.yaml")), ids=lambda path: str(path))
def test_every_example_is_valid(path: Path) -> None:
    VALIDATOR.validate(read_survey_file(path))


@pytest.mark.parametrize("draft", [EVERYBODY, SAMPLED, EVERY_KIND], ids=["all", "some", "kinds"])
def test_every_kind_is_valid(draft: dict[str, Any]) -> None:
    VALIDATOR.validate(draft)


def test_numbers_and_switches_may_be_written_as_such() -> None:
    scale = {"id": "a", "kind": "scale", "prompt": "?", "lo": 0, "hi": 10, "epsilon": 0.5}
    number = {"id": "b", "kind": "number", "prompt": "?", "lo": 0, "hi": 2.5, "step": 0.5}
    questions = [scale | {"decline": True}, number | {"epsilon": 1}]
    VALIDATOR.validate({"slug": "s", "title": 1984, "questions": questions})


@pytest.mark.parametrize("kind", KIND_DECLARATIONS)
def test_the_reader_takes_every_declared_field_and_no_other(kind: str) -> None:
    """No field can have this value, so a refusal shows that the field is read."""
    sound = {
        name: field.example
        for name, field in KIND_DECLARATIONS[kind].fields.items()
        if field.required
    }
    sound = {key: list(v) if isinstance(v, tuple) else v for key, v in sound.items()}
    question = {**sound, "kind": kind, "id": "q"}
    draft = {"slug": "s", "title": "S", "epsilon": "1", "questions": [question]}
    assert fault(draft) is None
    for name in KIND_DECLARATIONS[kind].fields:
        total = {"total_epsilon": "1"} if name == "weight" else {"epsilon": "1"}
        bad = {"slug": "s", "title": "S", **total, "questions": [{**question, name: [[]]}]}
        assert fault(bad) not in (None, "unknown_field"), name
        assert not says_yes(bad), name
    assert fault({**draft, "questions": [{**question, "colour": "red"}]}) == "unknown_field"


@pytest.mark.parametrize("name", SURVEY)
def test_the_reader_takes_every_declared_field_of_a_survey(name: str) -> None:
    question = {"id": "q", "prompt": "?"} | ({"epsilon": "1"} if "epsilon" in name else {})
    draft = {"slug": "s", "title": "S", "epsilon": "1", "questions": [question], name: [[]]}
    if name == "total_epsilon":
        del draft["epsilon"], question["epsilon"]
    assert fault(draft) not in (None, "unknown_field")
    assert not says_yes(draft)


ODD = st.sampled_from(
    [
        *("", " ", "0", "1", "01", "-1", "2", "10", "10.0", "11", "0.009", "0.010", "1e3", "nan"),
        *("true", "No", "~", "null", " a", "a\n", "x" * 2001, "a\x00b", "a\u202eb", "\ufeff"),
        *("a", "b", "Q", "q_1", "s-1", "-s", "2027-06-30", "2027-13-01", "de", "DE", "pt-BR"),
        *("mean", "shares", "distribution", "ticket", "device", "rr", "ss", "rt", "number"),
    ]
)
TOLD = st.dictionaries(st.sampled_from(["en", "de", "x y"]), ODD, max_size=2)
LABELS = st.lists(ODD | st.sampled_from(["c", "d"]), max_size=4)
RULE = st.fixed_dictionaries(
    {}, optional=dict.fromkeys([*IS_OPTION, *IS_BETWEEN, "all", "any", "then"], ODD | LABELS)
)
VALUE = ODD | TOLD | LABELS | RULE | st.lists(st.lists(ODD, max_size=1), max_size=2)
NAMES = sorted({name for item in KIND_DECLARATIONS.values() for name in item.fields})


@st.composite
def drafts(draw: st.DrawFn) -> dict[str, Any]:
    """Generate a valid draft with up to two fields changed, added or removed."""
    base = json.loads(json.dumps(draw(st.sampled_from([EVERYBODY, SAMPLED, EVERY_KIND]))))
    base["questions"] = base["questions"][: draw(st.integers(0, 9))]
    for _ in range(draw(st.integers(0, 2))):
        question = draw(st.sampled_from(base["questions"])) if base["questions"] else base
        place, names = draw(st.sampled_from([(base, [*SURVEY, "colour"]), (question, NAMES)]))
        name = draw(st.sampled_from(sorted(set(names) - {"questions"})))
        if draw(st.booleans()):
            place.pop(name, None)
        else:
            place[name] = draw(VALUE)
    return dict(base)


@settings(max_examples=1500, deadline=None)
@given(drafts())
def test_reader_and_schema_give_the_same_verdict(draft: dict[str, Any]) -> None:
    code = fault(draft)
    assert code is None or code in SAYABLE | READER_ONLY
    if code is None:
        assert says_yes(draft)
    elif code in SAYABLE:
        assert not says_yes(draft), code


def test_the_command_prints_it_and_the_server_serves_it(live: Live) -> None:
    answer = live.send("GET", "/schema/survey.json")
    assert (answer.status, answer.body) == (200, schema_bytes())
    assert answer.headers["Content-Type"].startswith("application/schema+json")
    assert json.loads(run("schema", group=main).output) == json.loads(answer.body)
