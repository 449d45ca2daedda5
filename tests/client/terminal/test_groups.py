"""Groups in a terminal: chosen before the questions, told, reviewed, and sent as they are."""

from typing import Any

import pytest

from client.authoring.draft.survey import build_survey
from client.core.groups import BY_CHOICE, BY_LINK
from client.core.primitives.refusal import Refusal
from client.core.report import Report
from client.core.survey import Survey
from client.terminal.groups import check_link_group, group_of_code
from client.terminal.interview import Interview
from tests.client.terminal.test_interview import invoke

LEVELS = ["Under 30", "30 or older"]


def grouped(by: str, test: bool = False) -> Survey:
    factors = [
        {"id": "age", "prompt": "How old are you?", "levels": LEVELS},
        {"id": "site", "prompt": "Where?", "levels": ["North", "South"]},
    ]
    draft: dict[str, Any] = {
        "slug": "s",
        "title": "A survey",
        "epsilon": "1",
        **({"groups": {"by": by, "factors": factors}} if by else {}),
        "questions": [{"id": "q", "prompt": "Ill?"}],
    }
    return build_survey(draft, test=test)


def test_a_group_is_chosen_by_number_or_label_and_declining_is_the_last_level() -> None:
    interview = Interview.of(grouped(BY_CHOICE))
    code, result = invoke(interview.choose_group, "4\nunder 30\nprefer not to say\n")
    assert code == "0-2"
    assert "Which describes you?\nThis is sent as it is" in result.output
    assert "it is not randomized." in result.output
    # There is no fourth level.
    assert "There is no option “4”" in result.output


def test_nobody_is_asked_for_a_group_that_the_link_sets() -> None:
    code, result = invoke(Interview.of(grouped(BY_LINK)).choose_group, "")
    assert (code, result.output) == ("", "")


@pytest.mark.parametrize(
    ("by", "told"),
    [
        (BY_CHOICE, "what you said about yourself, as it is: Under 30, South."),
        (BY_LINK, "the group of your link: Under 30, South."),
    ],
)
def test_the_label_and_the_review_name_the_group(by: str, told: str) -> None:
    survey = grouped(by)
    interview = Interview.of(survey)
    _, label = invoke(lambda: interview.explain("0-1"), "")
    assert told in label.output
    group = "0-1" if by == BY_CHOICE else ""
    report = Report(survey.fingerprint, {"q": 1}, group)
    _, review = invoke(lambda: interview.review({"q": 0}, report, "0-1"), "")
    assert "Sent as it is, not randomized:\n  How old are you? Under 30\n" in review.output


@pytest.mark.parametrize(
    ("by", "group", "code"),
    [
        (BY_LINK, "", "link_without_group"),
        (BY_LINK, "2-0", "invitation_unknown"),
        (BY_LINK, "north", "invitation_unknown"),
        (BY_CHOICE, "0-1", "group_undeclared"),
        ("", "0-1", "group_undeclared"),
        ("", "north", "group_undeclared"),
    ],
)
def test_a_link_with_the_wrong_group_is_refused(by: str, group: str, code: str) -> None:
    with pytest.raises(Refusal) as caught:
        check_link_group(grouped(by), group)
    assert caught.value.code == code


def test_a_test_of_a_draft_needs_no_group() -> None:
    check_link_group(grouped(BY_LINK, test=True), "")
    check_link_group(grouped(BY_LINK), "1-1")
    check_link_group(grouped(BY_CHOICE), "")


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("01-7k3mq-2xw9-pbd4r", "0-1"),
        ("1O7K3MQ2XW9PBD4R", "1-0"),
        ("l07k3mq2xw9pbd4r", "1-0"),
        ("02-7k3mq-2xw9-pbd4r", "unknown_group"),
        ("7k3mq-2xw9-pbd4r", "invitation_unknown"),
        ("0-7k3mq-2xw9-pbd4r", "invitation_unknown"),
        ("001-7k3mq-2xw9-pbd4r", "invitation_unknown"),
        ("", "invitation_missing"),
    ],
)
def test_the_code_of_a_personal_link_begins_with_its_group(code: str, found: str) -> None:
    survey = grouped(BY_LINK)
    try:
        group = group_of_code(survey, code)
    except Refusal as refusal:
        group = refusal.code
    assert group == found
    # Where links set no group, all of the code is the server's.
    assert group_of_code(grouped(BY_CHOICE), code or "code") == ""
    assert group_of_code(grouped(BY_LINK, test=True), "") == ""
