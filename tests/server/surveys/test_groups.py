"""Groups as researchers write them: by factor and level, with refusals that list what there is."""

from typing import Any

import pytest

from client.authoring.draft.survey import build_survey
from client.core.groups import Groups
from client.core.primitives.refusal import Refusal
from server.surveys.groups import code_of, invited_group, label_of, read_selection
from tests.support.groups import with_factors, with_groups

Draft = dict[str, Any]


@pytest.fixture
def groups(draft: Draft) -> Groups:
    found = build_survey(with_factors(draft)).groups
    assert found is not None
    return found


@pytest.mark.parametrize(
    "text",
    [
        "arm=control, site=north",
        "site = north,arm = control",
        "arm=CONTROL,site=North",
        "control, north",
    ],
)
def test_a_group_is_written_by_its_levels_or_its_label(groups: Groups, text: str) -> None:
    assert read_selection(groups, text).codes(groups) == ("1-0",)
    assert label_of(groups, "1-0") == "control, north"


def test_some_levels_select_all_groups_that_have_them(groups: Groups) -> None:
    found = read_selection(groups, "site=south")
    assert found.codes(groups) == ("0-1", "1-1")
    assert (found.text(groups), found.label(groups)) == ("site=south", "south")


def test_a_label_may_contain_commas_and_equal_signs(draft: Draft) -> None:
    groups = build_survey(with_groups(draft, "a, b", "c=d, e")).groups
    assert groups is not None
    assert read_selection(groups, "arm=a, b").codes(groups) == ("0",)
    assert read_selection(groups, "arm=c=d, e").codes(groups) == ("1",)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "arm=placebo, site=north",
            "arm has no level 'placebo'; its levels are treatment, control",
        ),
        ("dose=1", "'dose' is no factor of the groups; the factors are arm, site"),
        ("arm=control", "and site is missing; its levels are north, south"),
        ("", "and arm is missing; its levels are treatment, control"),
        ("control", "a group is written as in arm=treatment, site=north, got 'control'"),
        ("arm=control, arm=treatment", "and arm appears twice"),
        ("0-1", "a group is written as in"),
    ],
)
def test_a_wrong_group_is_refused_with_what_there_is(
    draft: Draft, text: str, sentence: str
) -> None:
    with pytest.raises(Refusal) as caught:
        invited_group(build_survey(with_factors(draft)), text)
    assert caught.value.code == "bad_group"
    assert sentence in caught.value.message


def test_the_levels_of_a_table_row_are_a_group(groups: Groups) -> None:
    assert code_of(groups, {"site": "south", "arm": "treatment"}) == "0-1"
    with pytest.raises(Refusal, match="site is missing"):
        code_of(groups, {"arm": "treatment"})


def test_links_have_no_group_where_nobody_declared_one_or_people_choose(draft: Draft) -> None:
    for survey, words in (
        (build_survey(draft), "has no groups"),
        (build_survey(with_groups(draft, by="choice")), "choose their group"),
    ):
        assert invited_group(survey, "") == ""
        with pytest.raises(Refusal, match=words):
            invited_group(survey, "arm=arm-a")


def test_a_file_name_has_letters_and_digits_whatever_the_language(draft: Draft) -> None:
    groups = build_survey(with_groups(draft, "Über 30", "الشمال", "C++ / Java")).groups
    assert groups is not None
    names = [read_selection(groups, label).file_part(groups) for label in groups.factors[0].levels]
    assert names == ["uber-30", "arm-2", "c-java"]
