"""A refusal is data; its sentence comes from the catalogue, and no value can spoil it."""

import ast
import copy
import pickle
from typing import Any

import pytest

from client.authoring.draft.survey import read_draft
from client.core.primitives.refusal import Refusal, Relayed, require, sentences, within
from tests.support.every_kind import EVERYBODY
from tests.support.refusals import PAGE, page, placeholders, sites, source_trees, variants

HUGE = 10**5000
HOSTILE: list[Any] = [
    "x" * 10**5,
    "\ud800 half a letter",
    "two\nlines\r\x1b[31m\x07 \u202eturned",
    "{field} {0.__class__} {values} {{ }",
    [["x" * 10**5] * 100] * 100,
    ["x" * 10**4] * 100,
    [HUGE],
    {"a": {"b": [None] * 10**4}},
    HUGE,
    -HUGE,
    float("nan"),
    float("-inf"),
    1e308,
    b"\xff" * 10**4,
    None,
    True,
]
# What some field of a draft may be: a text with braces, nothing, or an option that is wanted.
HARMLESS = ["{field} {0.__class__} {values} {{ }", None, True]


def test_every_refusal_has_a_sentence_and_every_sentence_a_refusal() -> None:
    assert {site.key for site in sites()} == sentences().keys() - variants().keys()
    assert set(variants().values()) <= sentences().keys()


def test_a_shared_rule_is_no_rule_of_a_single_code() -> None:
    shared = {key[1:] for key in sentences() if key.startswith("*")}
    assert not [
        key for key in sentences() if key[0] != "*" and f".{key.partition('.')[2]}" in shared
    ]


def test_every_refusal_gives_the_values_of_its_sentence() -> None:
    for site in sites():
        for key in (site.key, *(each for each, own in variants().items() if own == site.key)):
            missing = placeholders(sentences()[key]) - site.values
            assert not missing, f"{site.where} gives no {missing} to {key}"


def test_the_page_about_refusals_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: make refusals"


def test_no_source_reads_a_sentence_back() -> None:
    for path, tree in source_trees().items():
        for node in ast.walk(tree):
            parts = [node.value] if isinstance(node, ast.Attribute | ast.Subscript) else []
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                parts += node.args if node.func.attr in READERS else []
            if isinstance(node, ast.Compare):
                parts += [node.left, *node.comparators]
            for part in parts:
                assert ast.unparse(part) not in SENTENCES, f"{path}:{part.lineno}"


READERS = {"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
SENTENCES = {
    text
    for name in ("refusal", "fault", "error", "note", "reason", "problem")
    for text in (f"{name}.message", f"str({name})")
} - {"str(error)"}


def assert_clean(message: str) -> None:
    assert len(message) < 3000
    assert message.encode().decode() == message
    assert len(message.splitlines()) == 1
    assert not any(ord(letter) < 32 for letter in message)
    assert "\u202e" not in message


@pytest.mark.parametrize("key", sentences())
def test_a_hostile_value_leaves_one_clean_bounded_sentence(key: str) -> None:
    for value in HOSTILE:
        names = placeholders(sentences()[key]) - {"field"}
        place = value if isinstance(value, str) else "place"
        caught = Refusal(key, place, **dict.fromkeys(names, value))
        with pytest.raises(Refusal) as raised, within("questions", 0, name=place):
            raise caught
        assert_clean(raised.value.message)


FIELDS = [
    *((name,) for name in EVERYBODY),
    *(
        ("questions", index, name)
        for index, question in enumerate(EVERYBODY["questions"])
        for name in question
    ),
]


@pytest.mark.parametrize("path", FIELDS, ids=lambda path: "-".join(map(str, path)))
def test_a_hostile_value_anywhere_in_a_draft_is_refused_cleanly(
    path: tuple[str | int, ...],
) -> None:
    for value in HOSTILE:
        draft = copy.deepcopy(EVERYBODY)
        part: Any = draft
        for step in path[:-1]:
            part = part[step]
        part[path[-1]] = value
        faults = read_draft(draft).faults
        assert faults or value in HARMLESS
        for fault in faults:
            assert_clean(fault.message)


def test_braces_in_a_value_stay_as_they_are() -> None:
    given = "{field} {0.__class__}"
    assert Refusal("bad_slug", "slug", value=given).message.endswith(f"got '{given}'")
    assert Refusal("bad_scale.whole", given, value=given).message.count(given) == 2


def test_values_are_plain_and_clipped_when_the_refusal_is_made() -> None:
    for value in HOSTILE:
        made = Refusal("any", value=value).values["value"]
        assert isinstance(made, str | int | float | list | None)
        assert len(repr(made)) < 4000


def test_a_path_names_the_parts_from_the_outside_in() -> None:
    with (
        pytest.raises(Refusal) as caught,
        within("translations", "de", name="de"),
        within("questions", 2, name="smokes"),
    ):
        require(False, "bad_number.order", "hi", hi=-3)
    assert caught.value.code == "bad_number"
    assert caught.value.path == ("translations", "de", "questions", 2, "hi")
    assert caught.value.names == ("de", "smokes")
    assert caught.value.field == "hi"
    assert caught.value.values == {"hi": -3}
    assert str(caught.value) == "de: smokes: hi must be above lo, got -3"


def test_a_part_that_the_sentence_names_is_not_named_twice() -> None:
    with pytest.raises(Refusal) as caught, within("questions", 0, name="smokes"):
        require(False, "empty_text", "smokes.prompt")
    assert caught.value.message == "smokes.prompt must not be empty"


def test_a_refusal_without_a_culprit_has_no_field() -> None:
    with pytest.raises(Refusal) as caught, within("questions", 0, name="smokes"):
        raise Refusal("not_canonical")
    assert caught.value.field is None
    assert caught.value.path == ("questions", 0)


def test_a_form_has_sentences_in_its_own_words_and_words_for_its_fields() -> None:
    refusal = Refusal("bad_number.order", "hi", hi=-3)
    assert refusal.sentence("planner") == "the highest must be above the lowest, got -3"
    assert refusal.sentence("unheard of") == "hi must be above lo, got -3"
    field = Refusal("empty_text", "hi").sentence("planner", field="the {highest}")
    assert field == "the {highest} must not be empty"


def test_a_shared_rule_has_one_sentence_for_all_codes() -> None:
    refusal = Refusal("bad_delta.probability", "delta", value=2)
    assert refusal.code == "bad_delta"
    assert refusal.message == "delta must be between 0 and 1, both excluded, got 2"


def test_a_refusal_relayed_from_another_program_keeps_its_code_words_and_field() -> None:
    refusal = Relayed("survey_closed", "this {survey} is\nclosed", "slug")
    assert (refusal.code, refusal.field) == ("survey_closed", "slug")
    assert refusal.message == "this {survey} is closed"


def test_a_refusal_travels_between_processes() -> None:
    refusal = Refusal("bad_number.order", "hi", hi=-3)
    with pytest.raises(Refusal), within("questions", 2, name="smokes"):
        raise refusal
    copy = pickle.loads(pickle.dumps(refusal))
    assert (copy.path, copy.message) == (refusal.path, "smokes: hi must be above lo, got -3")
    told = pickle.loads(pickle.dumps(Relayed("survey_closed", "closed", "slug")))
    assert (told.code, told.message, told.field) == ("survey_closed", "closed", "slug")
