"""Declared groups: codes of one length, names that differ, and reports that say only the code."""

import pytest

from client.core.assignment import Assignment
from client.core.document import read_document
from client.core.groups import BY_CHOICE, BY_LINK, Factor, Groups
from client.core.primitives.refusal import Refusal
from client.core.report import Report
from client.core.respond import respond
from client.core.survey import Survey
from tests.support.surveys import survey_of, yes_no
from tests.vectors.document_groups import GERMAN, SURVEYS
from tests.vectors.document_languages import overlay
from tests.vectors.document_parts import QUESTION, asked, canonical
from tests.vectors.tapes import Tape

AGE = Factor("age", "How old are you?", ("Under 30", "30 or older"), "Prefer not to say")
SITE = Factor("site", "Where?", ("North", "South"), "Prefer not to say")
GROUPS = Groups(BY_CHOICE, (AGE, SITE))
EVERYTHING = Assignment(("q1",), {})


def chosen() -> Survey:
    return read_document(canonical(SURVEYS["groups_by_choice"]))


def test_a_code_has_one_digit_per_factor_and_a_name() -> None:
    assert GROUPS.codes == ("0-0", "0-1", "0-2", "1-0", "1-1", "1-2", "2-0", "2-1", "2-2")
    assert GROUPS.levels_of("1-2") == (1, 2)
    assert GROUPS.label("0-1") == "Under 30, South"
    assert GROUPS.label("2-0") == "Prefer not to say, North"


def test_a_survey_says_its_groups_in_each_of_its_languages() -> None:
    one = {"by": BY_CHOICE, "factors": SURVEYS["groups_by_choice"]["groups"]["factors"][:1]}
    german = overlay("q1", groups=GERMAN)
    survey = read_document(canonical(asked(QUESTION, groups=one, translations={"de": german})))
    said = [survey.in_language(language).groups for language in survey.languages]
    assert [groups and groups.label("2") for groups in said] == ["60 or older", "60 oder älter"]


def test_a_plain_survey_has_no_groups_and_its_document_does_not_mention_them() -> None:
    survey = survey_of(yes_no("q1", "1"))
    assert survey.groups is None
    assert survey.chosen_groups is None
    assert b"group" not in survey.document


def test_every_report_of_a_survey_is_equally_long_whatever_the_group() -> None:
    survey = chosen()
    assert survey.groups
    lengths = {
        len(respond(survey, EVERYTHING, {"q1": 1}, Tape([0]), group).body)
        for group in survey.groups.codes
    }
    assert lengths == {survey.report_bytes}


def test_a_group_that_the_link_sets_is_not_in_the_report() -> None:
    survey = read_document(canonical(SURVEYS["groups_by_link"]))
    report = respond(survey, EVERYTHING, {"q1": 1}, Tape([0]), "1")
    assert report.group == ""
    assert b"group" not in report.body


def test_a_report_is_read_back_with_its_group() -> None:
    survey = chosen()
    report = respond(survey, EVERYTHING, {"q1": 1}, Tape([0]), "3-1")
    assert Report.parse(report.wire(survey), survey) == report
    assert report.group == "3-1"


@pytest.mark.parametrize(
    ("by", "factors", "key"),
    [
        (BY_LINK, (AGE,), "bad_groups.no_decline"),
        (BY_CHOICE, (Factor("arm", "Arm", ("A", "B")),), "bad_groups.decline"),
        (BY_CHOICE, (), "bad_groups.count"),
        (BY_CHOICE, (AGE, AGE), "bad_groups.repeated"),
        ("server", (AGE,), "bad_groups.by"),
    ],
)
def test_groups_that_make_no_sense_are_refused(
    by: str, factors: tuple[Factor, ...], key: str
) -> None:
    with pytest.raises(Refusal) as caught:
        Groups(by, factors)
    assert caught.value.key == key
