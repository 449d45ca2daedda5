"""Surveys: valid when made, exact sums, one document and one fingerprint each."""

import hashlib
import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from client.core.conditions import Condition, ShowIf
from client.core.kinds import AnyOf, OneOf, Scale, YesNo
from client.core.mechanisms import RandomizedResponse
from client.core.primitives.refusal import Refusal
from client.core.question import Question
from client.core.survey import Survey
from tests.support.surveys import labels, one_of, sampled_boxes, survey_of, yes_no


def question(id: str = "q1", epsilon: str = "1", **changes: Any) -> Question:
    chosen = Decimal(epsilon)
    return Question(
        **{
            "id": id,
            "prompt": "Have you ever?",
            "kind": YesNo(),
            "epsilon": chosen,
            "mechanism": RandomizedResponse.at(chosen),
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
        ("access", "invited"),
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
    with pytest.raises(Refusal, match="the id 'q1' appears twice"):
        survey(question("q1"), question("q1"))


@pytest.mark.parametrize("id", ["", "Q1", "1q", "_q", "a" * 33, "q-1", "q 1", None, ["q1"]])
def test_a_question_id_with_other_letters_is_refused(id: object) -> None:
    assert question_code_of(id=id) == "bad_id"


def test_a_mechanism_for_other_answers_does_not_fit() -> None:
    assert question_code_of(kind=OneOf(options=labels(3))) == "mechanism_does_not_fit"
    assert question_code_of(kind=AnyOf(options=labels(2))) == "mechanism_does_not_fit"
    levels = Scale(lo=0, hi=1, goal="mean")
    assert question_code_of(kind=levels) == "mechanism_does_not_fit"


HIDDEN = OneOf(options=("a", "b"), not_applicable="n/a")


def hidden(rule: ShowIf, kind: OneOf = HIDDEN) -> Question:
    shown = one_of("after", 3, "1")
    return replace(shown, kind=kind, show_if=rule)


def test_a_question_that_can_be_hidden_needs_room_to_say_so() -> None:
    assert hidden(ShowIf((Condition("q1", (1,)),))).show_if == ShowIf((Condition("q1", (1,)),))
    with pytest.raises(Refusal, match="after: a question that can be hidden needs the option not_"):
        hidden(ShowIf((Condition("q1", (1,)),)), OneOf(options=labels(3)))


@pytest.mark.parametrize(
    "rule",
    [
        ShowIf((Condition("after", (0,)),)),
        ShowIf((Condition("nothing", (0,)),)),
        ShowIf((Condition("later", (0,)),)),
        ShowIf((Condition("boxes", (0,)),)),
        ShowIf((Condition("q1", ()),)),
        ShowIf((Condition("q1", (2,)),)),
        ShowIf((Condition("q1", (-1,)),)),
        ShowIf((Condition("q1", (True,)),)),
        ShowIf((Condition("q1", ("Yes",)),)),  # type: ignore[arg-type]
    ],
)
def test_skip_logic_looks_at_options_of_an_earlier_question(rule: ShowIf) -> None:
    boxes, later = sampled_boxes("boxes", 3, 1, "1"), yes_no("later", "1")
    with pytest.raises(Refusal, match="after: show_if must name options or numbers") as caught:
        survey(question(), boxes, hidden(rule), later)
    assert caught.value.code == "bad_show_if"


def test_skip_logic_needs_a_question_that_everybody_is_asked() -> None:
    assert survey(question(), hidden(ShowIf((Condition("q1", (0, 1)),)))).asked == 2
    with pytest.raises(Refusal, match="everybody is asked"):
        survey(question(), hidden(ShowIf((Condition("q1", (1,)),))), ask_each_person=1)


def test_the_total_is_that_of_whoever_draws_the_dearest_questions() -> None:
    three = (yes_no("a", "0.1"), yes_no("b", "2"), yes_no("c", "0.7"))
    assert survey_of(*three).total_epsilon == Decimal("2.8")
    assert survey_of(*three, ask_each_person=1).total_epsilon == 2
    assert survey_of(*three, ask_each_person=2).total_epsilon == Decimal("2.7")


def test_sampling_questions_may_cost_more_in_all_than_one_person_may_spend() -> None:
    """Twelve at one each: nobody is asked more than three of them."""
    twelve = tuple(yes_no(f"q{i}", "1") for i in range(12))
    assert survey_of(*twelve, ask_each_person=3).total_epsilon == 3
    with pytest.raises(Refusal, match="total_epsilon must be at most 10, got 12"):
        survey_of(*twelve)


@pytest.mark.parametrize("count", [-1, 2, 3, True, "1", None, 1.0])
def test_everybody_is_asked_fewer_questions_than_there_are(count: object) -> None:
    with pytest.raises(Refusal, match="ask_each_person must be from 1 to 1, or 0 for all") as bad:
        survey_of(yes_no("a", "1"), yes_no("b", "1"), ask_each_person=count)
    assert bad.value.code == "bad_ask_each_person"


@pytest.mark.parametrize("who", ["", "server", None, 1])
def test_a_survey_is_open_or_by_invitation(who: object) -> None:
    assert code_of(access=who) == "bad_access"


def test_a_survey_whose_reports_would_be_too_long_is_refused() -> None:
    boxes = [sampled_boxes(f"q{i}", 198, 198, "0.2") for i in range(47)]
    with pytest.raises(Refusal, match=r"would take \d+ bytes, more than 65536") as caught:
        survey(*boxes)
    assert caught.value.code == "report_too_large"
    assert survey(*boxes[:40]).report_bytes <= 2**16


def test_nothing_of_a_survey_can_be_changed_afterwards() -> None:
    with pytest.raises(AttributeError):
        survey().title = "Other"  # type: ignore[misc]
