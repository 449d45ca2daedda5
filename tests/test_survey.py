"""Surveys: valid from birth, exact in their sums, one document and one fingerprint each."""

import hashlib
import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from client.mechanisms import RandomizedResponse
from client.refusal import Refusal
from client.survey import Question, Survey


def question(id: str = "q1", epsilon: str = "1", **changes: Any) -> Question:
    chosen = Decimal(epsilon)
    return Question(
        **{
            "id": id,
            "kind": "yes_no",
            "prompt": "Have you ever?",
            "options": ("No", "Yes"),
            "epsilon": chosen,
            "mechanism": RandomizedResponse.for_epsilon(chosen),
            **changes,
        }
    )


def survey(*questions: Question, **changes: Any) -> Survey:
    fields = {"slug": "habits", "version": 1, "title": "Habits", **changes}
    return Survey(questions=questions or (question(),), **fields)


def code_of(**changes: Any) -> str:
    with pytest.raises(Refusal) as caught:
        survey(**changes)
    return caught.value.code


def question_code_of(**changes: Any) -> str:
    with pytest.raises(Refusal) as caught:
        question(**changes)
    return caught.value.code


def test_the_total_is_the_exact_decimal_sum() -> None:
    ten_tenths = survey(*(question(f"q{i}", "0.1") for i in range(10)))
    assert ten_tenths.total_epsilon == 1
    assert json.loads(ten_tenths.document)["total_epsilon"] == "1"
    assert survey(question("a", "0.1"), question("b", "0.2")).total_epsilon == Decimal("0.3")


def test_the_document_is_canonical_and_the_fingerprint_is_its_sha_256() -> None:
    published = survey(title="Ærlighed")
    again = json.dumps(
        json.loads(published.document), sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    assert again.encode() == published.document
    assert hashlib.sha256(published.document).hexdigest() == published.fingerprint


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", "Other"),
        ("version", 2),
        ("slug", "other"),
        ("intro", "Hello"),
        ("organizer", "Somebody"),
        ("delete_on", "2027-06-30"),
    ],
)
def test_any_change_changes_the_fingerprint(field: str, value: object) -> None:
    assert survey(**{field: value}).fingerprint != survey().fingerprint


def test_a_changed_question_changes_the_fingerprint() -> None:
    plain = survey().fingerprint
    assert survey(question(prompt="Did you?")).fingerprint != plain
    assert survey(question(epsilon="0.999")).fingerprint != plain
    lower = RandomizedResponse(question().mechanism.threshold - 1)
    assert survey(question(mechanism=lower)).fingerprint != plain


def test_a_question_whose_threshold_leaks_cannot_be_made() -> None:
    leaking = RandomizedResponse(question().mechanism.threshold + 1)
    assert question_code_of(mechanism=leaking) == "threshold_leaks"
    with pytest.raises(Refusal, match="leaks"):
        replace(question(), epsilon=Decimal("0.5"))


@pytest.mark.parametrize("slug", ["", "A", "-a", "a-", "a b", "a" * 64, "a\n", "ä", 5, None])
def test_a_slug_with_other_letters_is_refused(slug: object) -> None:
    assert code_of(slug=slug) == "bad_slug"


@pytest.mark.parametrize("version", [0, -1, True, "1", 1.0, 1_000_001])
def test_a_version_that_is_no_small_natural_number_is_refused(version: object) -> None:
    assert code_of(version=version) == "bad_version"


@pytest.mark.parametrize("day", ["2027-13-01", "2027-00-10", "2027-1-1", "tomorrow", None, "2027"])
def test_a_deletion_day_that_is_no_day_is_refused(day: object) -> None:
    assert code_of(delete_on=day) == "bad_delete_on"


@pytest.mark.parametrize(
    ("title", "code"),
    [
        ("", "empty_text"),
        (" \n\u2003", "empty_text"),
        ("x" * 2001, "text_too_long"),
        ("a\x00", "control_character"),
        ("a\x1b[31m", "control_character"),
        ("a\x9b", "control_character"),
        ("\ufeff", "control_character"),
        ("\ud800", "control_character"),
        (None, "not_text"),
        (3, "not_text"),
    ],
)
def test_a_title_that_nobody_can_read_is_refused(title: object, code: str) -> None:
    assert code_of(title=title) == code


def test_the_longest_text_counts_characters_and_may_have_line_breaks() -> None:
    assert survey(title="🙂" * 2000).title == "🙂" * 2000
    assert survey(intro="one\ntwo").intro == "one\ntwo"


def test_between_1_and_100_questions() -> None:
    many = tuple(question(f"q{i}", "0.1") for i in range(100))
    assert survey(*many).total_epsilon == 10
    with pytest.raises(Refusal, match="between 1 and 100 questions, got 101"):
        survey(*many, question("one_more", "0.01"))
    with pytest.raises(Refusal, match="between 1 and 100 questions, got 0"):
        Survey(slug="a", version=1, title="A", questions=())


def test_a_total_above_ten_is_refused_and_ten_is_not() -> None:
    assert survey(question("a", "5"), question("b", "5")).total_epsilon == 10
    with pytest.raises(Refusal, match=r"total_epsilon must be at most 10, got 10\.01"):
        survey(question("a", "10"), question("b", "0.01"))


def test_an_id_that_stands_twice_is_refused() -> None:
    with pytest.raises(Refusal, match="the id 'q1' stands twice"):
        survey(question("q1"), question("q1"))


@pytest.mark.parametrize("id", ["", "Q1", "1q", "_q", "a" * 33, "q-1", "q 1", None, ["q1"]])
def test_a_question_id_with_other_letters_is_refused(id: object) -> None:
    assert question_code_of(id=id) == "bad_id"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ((), "bad_options"),
        (("Yes",), "bad_options"),
        (("Yes", "Yes"), "bad_options"),
        (("No", "Yes", "Maybe"), "bad_options"),
        (("No", ""), "empty_text"),
        ((0, 1), "not_text"),
    ],
)
def test_options_that_are_not_two_different_labels_are_refused(
    options: tuple[Any, ...], code: str
) -> None:
    assert question_code_of(options=options) == code


@pytest.mark.parametrize("kind", ["open_text", "", None, "yes-no"])
def test_a_kind_that_is_not_known_is_refused(kind: object) -> None:
    assert question_code_of(kind=kind) == "unknown_kind"


def test_nothing_of_a_survey_can_be_changed_afterwards() -> None:
    with pytest.raises(AttributeError):
        survey().title = "Other"  # type: ignore[misc]
