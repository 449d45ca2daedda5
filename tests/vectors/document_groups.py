"""Documents with declared groups: good ones, and everything that can be wrong with them."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from tests.vectors.document_languages import overlay
from tests.vectors.document_parts import QUESTION, Tree, asked, labels

AGE: Tree = {
    "id": "age",
    "prompt": "How old are you?",
    "levels": ["Under 30", "30 to 59", "60 or older"],
    "decline": "Prefer not to say",
}
SITE: Tree = {
    "id": "site",
    "prompt": "Where do you work?",
    "levels": ["North", "South"],
    "decline": "Prefer not to say",
}
GERMAN = {
    "age": {
        "prompt": "Wie alt sind Sie?",
        "levels": ["unter 30", "30 bis 59", "60 oder älter"],
        "decline": "Keine Angabe",
    }
}
CHOICE: Tree = {"by": "choice", "factors": [AGE, SITE]}
LINK: Tree = {"by": "link", "factors": [AGE | {"decline": ""}]}
# Surveys for the vectors of reports and responses.
SURVEYS: dict[str, Tree] = {
    "groups_by_choice": asked(QUESTION, groups=CHOICE),
    "groups_by_link": asked(QUESTION, groups=LINK),
}


def chosen(**fields: Any) -> Tree:
    """Return a document whose first of two factors has other fields."""
    return asked(QUESTION, groups={"by": "choice", "factors": [AGE | fields, SITE]})


def factors(*counts: int) -> list[Tree]:
    """Return factors with as many levels each, which people choose."""
    return [
        {"id": f"f{at}", "prompt": "?", "levels": labels(count), "decline": "Pass"}
        for at, count in enumerate(counts)
    ]


def good_groups() -> Iterator[tuple[str, Tree]]:
    yield "groups_by_choice", SURVEYS["groups_by_choice"]
    yield "groups_by_link", SURVEYS["groups_by_link"]
    yield "groups_of_nine_levels", asked(QUESTION, groups={"by": "choice", "factors": factors(9)})
    yield "groups_50", asked(QUESTION, groups={"by": "choice", "factors": factors(9, 4)})
    four = [factor | {"decline": ""} for factor in factors(2, 2, 2, 6)]
    yield "groups_of_four_factors", asked(QUESTION, groups={"by": "link", "factors": four})
    german = overlay("q1", groups=GERMAN)
    one = {"by": "choice", "factors": [AGE]}
    yield "groups_translated", asked(QUESTION, groups=one, translations={"de": german})
    silent = overlay("q1", groups={"age": GERMAN["age"] | {"decline": ""}})
    yield "groups_by_link_translated", asked(QUESTION, groups=LINK, translations={"de": silent})


def group_faults() -> Iterator[tuple[str, Tree, str]]:
    for label, value, code in [
        *(("null", None, "not_an_object"), ("a_list", [AGE], "not_an_object")),
        *(("empty", {}, "missing_key"), ("without_by", {"factors": [AGE]}, "missing_key")),
        *(("without_factors", {"by": "choice"}, "missing_key"),),
        *(("unknown_key", CHOICE | {"least": 5}, "unknown_key"),),
        *(("by_nobody", CHOICE | {"by": ""}, "bad_groups"),),
        *(("by_the_server", CHOICE | {"by": "server"}, "bad_groups"),),
        *(("by_null", CHOICE | {"by": None}, "bad_groups"),),
        *(("by_a_list", CHOICE | {"by": ["choice"]}, "bad_groups"),),
        *(("factors_an_object", CHOICE | {"factors": {"age": AGE}}, "bad_groups"),),
        *(("factors_none", CHOICE | {"factors": []}, "bad_groups"),),
        *(("factors_five", CHOICE | {"factors": factors(2, 2, 2, 2, 2)}, "bad_groups"),),
        *(("factors_twice", CHOICE | {"factors": [AGE, AGE]}, "bad_groups"),),
        *(("51_and_more", CHOICE | {"factors": factors(8, 5)}, "bad_groups"),),
        *(("factor_null", CHOICE | {"factors": [None]}, "not_an_object"),),
        *(("factor_a_text", CHOICE | {"factors": ["age"]}, "not_an_object"),),
        *(("link_with_a_way_to_decline", LINK | {"factors": [AGE]}, "bad_groups"),),
        *(("choice_without_a_way_to_decline", LINK | {"by": "choice"}, "bad_groups"),),
    ]:
        yield f"groups_{label}", asked(QUESTION, groups=value), code
    for key in AGE:
        tree = chosen()
        del tree["groups"]["factors"][0][key]
        yield f"groups_factor_missing_{key}", tree, "missing_key"
    column = QUESTION | {"id": "group"}
    yield "groups_beside_a_question_of_that_name", asked(column, groups=CHOICE), "bad_groups"
    yield from _faults_of_a_factor()
    yield from _faults_of_translations()


def _faults_of_a_factor() -> Iterator[tuple[str, Tree, str]]:
    for label, field, value, code in [
        ("unknown_key", "epsilon", "1", "unknown_key"),
        ("id_of_a_question", "id", "q1", "bad_groups"),
        ("id_of_a_column", "id", "group", "bad_groups"),
        ("id_upper_case", "id", "Age", "bad_id"),
        ("id_null", "id", None, "bad_id"),
        ("prompt_empty", "prompt", "", "empty_text"),
        ("prompt_null", "prompt", None, "not_text"),
        ("prompt_too_long", "prompt", "x" * 2001, "text_too_long"),
        ("levels_text", "levels", "young", "bad_options"),
        ("levels_null", "levels", None, "bad_options"),
        ("levels_one", "levels", ["Any"], "bad_options"),
        ("levels_ten", "levels", labels(10), "bad_options"),
        ("levels_equal", "levels", ["Young", "Young"], "bad_options"),
        ("levels_empty_label", "levels", ["Young", ""], "empty_text"),
        ("levels_numbers", "levels", [18, 30], "not_text"),
        ("levels_turning_the_writing", "levels", ["a", "b\u202e"], "control_character"),
        ("decline_null", "decline", None, "not_text"),
        ("decline_blank", "decline", " ", "empty_text"),
        ("decline_like_a_level", "decline", "Under 30", "bad_options"),
    ]:
        yield f"groups_factor_{label}", chosen(**{field: value}), code
    alike = deepcopy(SITE) | {"levels": ["North", "North, North"]}
    first = AGE | {"levels": ["a", "a, North"]}
    groups = {"by": "choice", "factors": [first, alike]}
    yield "groups_named_alike", asked(QUESTION, groups=groups), "bad_groups"


def _faults_of_translations() -> Iterator[tuple[str, Tree, str]]:
    one = {"by": "choice", "factors": [AGE]}
    age = GERMAN["age"]
    for label, value, code in [
        *(("null", None, "not_an_object"), ("a_list", [age], "not_an_object")),
        *(("empty", {}, "missing_key"), ("factor_null", {"age": None}, "not_an_object")),
        ("of_an_unknown_factor", {"age": age, "site": age}, "unknown_key"),
        ("with_an_id", {"age": age | {"id": "age"}}, "unknown_key"),
        ("without_levels", {"age": {"prompt": "?", "decline": "x"}}, "missing_key"),
        ("with_fewer_levels", {"age": age | {"levels": ["jung", "alt"]}}, "bad_translation"),
        ("with_levels_as_text", {"age": age | {"levels": "jung"}}, "bad_translation"),
        ("with_equal_levels", {"age": age | {"levels": ["a", "a", "b"]}}, "bad_options"),
        ("without_a_way_to_decline", {"age": age | {"decline": ""}}, "bad_groups"),
        ("prompt_empty", {"age": age | {"prompt": ""}}, "empty_text"),
    ]:
        german = overlay("q1", groups=value)
        tree = asked(QUESTION, groups=one, translations={"de": german})
        yield f"translation_groups_{label}", tree, code
    missing = asked(QUESTION, groups=one, translations={"de": overlay("q1")})
    yield "translation_without_the_groups", missing, "missing_key"
    extra = asked(QUESTION, translations={"de": overlay("q1", groups=GERMAN)})
    yield "translation_of_groups_that_the_survey_lacks", extra, "unknown_key"
