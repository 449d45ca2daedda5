"""Groups in the editor without a script: factors come and go, and remarks stand beside them."""

import json

from client.authoring.draft.survey import build_survey
from client.authoring.files import read_survey_file
from tests.client.authoring.test_groups import DRAFT
from tests.support.live import Live
from tests.support.researcher import Browser
from tests.workbench.editor.writing import kept, plain, save, write
from tests.workbench.test_pages import words

FIRST = "groups.factors[0]."
AGE = {
    f"{FIRST}id": "age",
    f"{FIRST}prompt@en": "How old?",
    f"{FIRST}levels@en": "Young\r\nOld",
}


def test_a_factor_is_added_filled_in_and_removed(live: Live, ana: Browser) -> None:
    address = write(live, plain())
    assert "Compare groups" in words(ana.get(address))
    added = save(ana, address, do="add-factor")
    assert added.headers["Location"].endswith("#groups")
    page = words(ana.get(address))
    assert "Groups, factor 1: Levels" in page
    save(ana, address, **AGE)
    wanted = {"id": "age", "prompt": "How old?", "levels": ["Young", "Old"]}
    assert kept(live, address)["groups"] == {"by": "choice", "factors": [wanted]}
    save(ana, address, do="add-factor")
    save(ana, address, do="remove-factor-1", **{"groups.by": "link"})
    assert kept(live, address)["groups"] == {"by": "link", "factors": [wanted]}
    save(ana, address, do="remove-factor-0")
    assert kept(live, address) == plain()


def test_everybody_can_decline_with_the_usual_label_or_another(live: Live, ana: Browser) -> None:
    address = write(live, plain())
    save(ana, address, do="add-factor")
    save(ana, address, **AGE)
    own = {f"{FIRST}decline": "own", f"{FIRST}decline@en": "Pass"}
    save(ana, address, **own)
    survey = build_survey({**kept(live, address), "delete_on": "2999-01-01"})
    assert survey.groups
    assert survey.groups.factors[0].labels == ("Young", "Old", "Pass")
    # A link never declines, so the control goes; what was written stays until it is removed.
    save(ana, address, **{"groups.by": "link"})
    assert "cannot have a level for those who prefer not to say" in words(ana.get(address))
    save(ana, address, **{f"{FIRST}decline": ""})
    assert "decline" not in kept(live, address)["groups"]["factors"][0]


def test_saving_what_nobody_touched_keeps_groups_in_two_languages(live: Live, ana: Browser) -> None:
    draft = read_survey_file(json.dumps(DRAFT).encode())
    address = write(live, draft)
    save(ana, address)
    assert kept(live, address) == draft
    save(ana, address, languages="en")
    factor = kept(live, address)["groups"]["factors"][0]
    assert (factor["prompt"], factor["levels"]) == ("How old?", ["Young", "Old"])


def test_too_many_groups_and_too_few_people_are_told_beside_the_groups(
    live: Live, ana: Browser
) -> None:
    address = write(live, plain())
    save(ana, address, do="add-factor")
    save(ana, address, respondents="30", **AGE)
    assert "30 respondents in 2 groups are about 15 in each" in words(ana.get(address))
    levels = "\r\n".join("abcdefghi")
    save(ana, address, do="add-factor", **{f"{FIRST}levels@en": levels})
    other = "groups.factors[1]."
    save(ana, address, **{f"{other}prompt@en": "Where?", f"{other}levels@en": levels})
    assert "the levels make 100 groups together" in words(ana.get(address)).lower()


def test_groups_that_the_form_cannot_show_are_replaced_by_a_factor(
    live: Live, ana: Browser
) -> None:
    address = write(live, plain(groups="age"))
    save(ana, address)
    assert kept(live, address)["groups"] == "age"
    save(ana, address, do="add-factor")
    assert kept(live, address)["groups"] == {"by": "choice", "factors": [{"id": "factor1"}]}
