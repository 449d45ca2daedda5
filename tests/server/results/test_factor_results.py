"""Several factors: results of each combination and of each factor, in the reader's language."""

import html
from collections.abc import Iterator
from typing import Any

import pytest

from server.data_folder import DataFolder
from server.lifecycle import ending
from server.results.shown import live_results, public_results
from server.surveys.researchers import Role
from server.surveys.strays import GroupChoice
from tests.support.live import Live
from tests.support.live import live as run_live
from tests.support.researcher import hire, key_of, logged_in

Draft = dict[str, Any]


def translated(draft: Draft) -> Draft:
    """The draft in English and German, with two factors."""
    title = {"en": draft["title"], "de": "Gewohnheiten"}
    questions = [
        {**question, "prompt": {"en": question["prompt"], "de": "Frage?"}}
        for question in draft["questions"]
    ]
    arms = {
        "id": "arm",
        "prompt": {"en": "Study arm", "de": "Studienarm"},
        "levels": [{"en": "treatment", "de": "Behandlung"}, {"en": "control", "de": "Kontrolle"}],
    }
    sites = {
        "id": "site",
        "prompt": {"en": "Place", "de": "Ort"},
        "levels": [{"en": "north", "de": "Nord"}, {"en": "south", "de": "Süd"}],
    }
    groups = {"by": "link", "factors": [arms, sites]}
    return {**draft, "title": title, "questions": questions, "groups": groups}


@pytest.fixture
def live(folder: DataFolder, draft: Draft) -> Iterator[Live]:
    """Three groups of a hundred, and seven reports of the fourth."""
    with run_live(folder, translated(draft)) as running:
        running.fill(100, "treatment, north", smokes=1)
        running.fill(100, "treatment, south")
        running.fill(100, "control, north")
        running.fill(7, "control, south", smokes=1)
        yield running


def page(live: Live, query: str = "", language: str = "en") -> str:
    headers = {"Accept-Language": language}
    answer = live.send("GET", f"/s/habits/results{query}", None, headers)
    assert answer.status == 200, query
    return html.unescape(answer.body.decode())


def test_a_factor_is_the_sum_of_its_groups_that_are_shown(live: Live) -> None:
    database = live.services.database
    shown = public_results(database, "habits")
    assert shown.sizes_by_label == {
        "treatment, north": 100,
        "treatment, south": 100,
    }
    arm = public_results(database, "habits", group="arm=treatment")
    assert (arm.n, arm.tallies["smokes"].counts) == (200, (100, 100))
    ending.close(database, "habits", groups=GroupChoice.KEEP)
    for show in (public_results, live_results):
        north = show(database, "habits", group="site=north")
        assert (north.n, north.tallies["smokes"].counts) == (200, (100, 100))
        # The seven are held back, and so they are in no sum.
        control = show(database, "habits", group="arm=control")
        assert (control.n, control.tallies["smokes"].counts) == (100, (100, 0))


def test_the_page_names_groups_and_factors_in_the_readers_language(live: Live) -> None:
    english, german = page(live), page(live, language="de")
    assert "Study arm</p>" in english
    assert ">treatment, south</a>" in english
    assert "Studienarm</p>" in german
    assert ">Behandlung, Süd</a>" in german
    # The address is the same in every language.
    link = 'href="results?group=arm%3Dtreatment%2C+site%3Dsouth"'
    assert link in english
    assert link in german
    own = page(live, "?group=arm%3Dtreatment", "de")
    assert 'aria-current="page" lang="de" dir="ltr">Behandlung</a>' in own
    assert not any(code in english for code in (">0-0<", ">0-1<", "group=0"))


def test_estimates_and_files_have_labels(live: Live) -> None:
    body = live.get("/s/habits/estimates.json?group=site%3Dnorth").json
    assert (body["group"], body["n"]) == ("north", 100)
    assert body["groups"] == {"treatment, north": 100, "treatment, south": 100}
    assert body["factors"] == {"arm": {"treatment": 200}, "site": {"north": 100, "south": 100}}
    assert {row["group"] for row in body["estimates"]} == {"north"}
    table = live.get("/s/habits/estimates.csv?group=treatment,+south")
    assert "habits-v1-treatment-south-estimates.csv" in table.headers["Content-Disposition"]
    for hidden in ("control,+south", "arm=control", "site=west", "0-0"):
        assert live.get(f"/s/habits/estimates.json?group={hidden}").code == "unknown_group"


def test_researchers_compare_by_a_factor(live: Live) -> None:
    hire(live, "vera", Role.VIEWER)
    ending.close(live.services.database, "habits", groups=GroupChoice.KEEP)
    vera = logged_in(live, "vera")
    tab = "/workbench/surveys/habits/compare?question=smokes"
    every = vera.get(tab).body.decode()
    assert '<option value="treatment, north">' in every
    by_site = vera.get(f"{tab}&by=site&reference=treatment,+north").body.decode()
    assert '<option value="site" selected>Place</option>' in by_site
    assert '<th scope="row">north</th><td>200</td>' in by_site
    assert '<th scope="row">south</th><td>100</td>' in by_site
    assert vera.get(f"{tab}&by=site&format=svg").status == 200
    answer = live.send(
        "GET", "/api/surveys/habits/estimates?group=arm%3Dcontrol", None, key_of(live, "vera")
    )
    assert (answer.json["n"], answer.json["group"]) == (100, "control")
