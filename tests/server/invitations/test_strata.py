"""Strata: the group of each person by columns of the list, and none so small that it tells."""

import pytest

from client.authoring.draft.survey import build_survey
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from server.invitations.people_file import People
from server.invitations.strata import columns_of, groups_of

FACTORS = [
    {"id": "arm", "prompt": "Arm?", "levels": ["A", "B"]},
    {"id": "age", "prompt": "Age?", "levels": ["Under 30", "30 or older"]},
]


def survey(by: str = "link") -> Survey:
    question = {"id": "smokes", "prompt": "Do you smoke?", "epsilon": "1"}
    groups = {"groups": {"by": by, "factors": FACTORS}} if by else {}
    return build_survey({"slug": "s", "title": "S", "questions": [question], **groups})


def people(*cells: tuple[str, str], each: int = 20) -> People:
    rows = [("x", *pair) for pair in cells for _ in range(each)]
    return People(("name", "arm", "age"), tuple(rows), tuple(range(2, len(rows) + 2)))


def groups(of: People, strata: str = "") -> list[str]:
    made = survey()
    return groups_of(made, of, columns_of(made, strata))


def test_each_row_gets_the_group_of_its_cells() -> None:
    listed = people(("A", "Under 30"), (" b ", "30  OR older"), ("B", "Under 30"))
    assert groups(listed) == ["0-0"] * 20 + ["1-1"] * 20 + ["1-0"] * 20


def test_a_column_may_have_another_name() -> None:
    listed = people(("A", "Under 30"))
    named = People(("name", "Treatment", "age"), listed.rows, listed.numbers)
    assert groups(named, "age, arm=Treatment") == ["0-0"] * 20


@pytest.mark.parametrize("strata", ["arm", "arm,age,site", "arm,arm", "arm,sex", "arm=x,arm=y"])
def test_strata_are_all_factors_of_the_survey(strata: str) -> None:
    with pytest.raises(Refusal, match=r"each factor of the survey once \(arm, age\)"):
        columns_of(survey(), strata)


@pytest.mark.parametrize("by", ["", "choice"])
def test_a_survey_whose_links_set_no_group_has_no_strata(by: str) -> None:
    made = survey(by)
    assert groups_of(made, people(("A", "old"), each=1), columns_of(made, "")) == [""]
    with pytest.raises(Refusal, match="has no groups that links set"):
        columns_of(made, "arm")


def test_a_bad_cell_is_named_with_row_column_value_and_known_levels() -> None:
    listed = people(("A", "Under 30"), ("A", "29"))
    with pytest.raises(Refusal) as caught:
        groups(listed)
    words = "row 22, column age: '29' is not one of the levels Under 30, 30 or older, nor are 19"
    assert caught.value.message.startswith(words)


def test_small_strata_are_named_with_the_factor_that_helps_if_left_out() -> None:
    listed = people(("A", "Under 30"), ("A", "30 or older"), ("B", "Under 30"))
    rows = (*listed.rows, ("x", "B", "30 or older"))
    with pytest.raises(Refusal) as caught:
        groups(People(listed.columns, rows, tuple(range(2, 63))))
    assert "Too small: B, 30 or older (1). Without arm or age, all" in caught.value.message
    with pytest.raises(Refusal) as caught:
        groups(people(("A", "Under 30"), each=19))
    assert "Too small: A, Under 30 (19). Publish" in caught.value.message


def test_levels_may_be_in_any_language_of_the_survey() -> None:
    both = {"en": "S", "de": "S"}
    levels = [{"en": "A", "de": "A"}, {"en": "B", "de": "B"}]
    ages = [{"en": "Under 30", "de": "Unter 30"}, {"en": "Older", "de": "Älter"}]
    factors = [
        {"id": "arm", "prompt": both, "levels": levels},
        {"id": "age", "prompt": both, "levels": ages},
    ]
    question = {"id": "smokes", "prompt": both, "epsilon": "1"}
    groups = {"by": "link", "factors": factors}
    made = build_survey({"slug": "s", "title": both, "questions": [question], "groups": groups})
    listed = people(("A", "älter"), ("A", "older"))
    assert groups_of(made, listed, columns_of(made, "")) == ["0-1"] * 40
