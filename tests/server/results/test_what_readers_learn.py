"""The results say what their readers learn about one person, where that is known."""

import html
from decimal import Decimal
from typing import Any

import pytest

from client.core.mechanisms import RandomizedResponse
from estimators.published.readers import ReadersBound, readers_bound
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.results.kept import KEPT
from server.results.readers import readers_of
from server.results.shown import live_results, public_results
from server.surveys.researchers import Role
from tests.support.groups import with_groups
from tests.support.live import Live
from tests.support.live import live as run_live
from tests.support.process import ROOT
from tests.support.publishing import publish_draft, try_draft
from tests.support.researcher import hire, key_of, logged_in

HEADING = "What published figures reveal about one person"
EPSILONS = (Decimal(1), Decimal("0.5"))
TOTAL = sum(EPSILONS, Decimal(0))


def bound_of(n: int) -> ReadersBound:
    """Return the bound for the two questions of the draft."""
    questions = [(RandomizedResponse.at(epsilon), epsilon) for epsilon in EPSILONS]
    found = readers_bound(questions, 2, TOTAL, n)
    assert found is not None
    return found


def told(live: Live) -> Any:
    return live.get("/s/habits/estimates.json").json["readers"]


def page(live: Live, language: str = "en", query: str = "") -> str:
    headers = {"Accept-Language": language}
    return html.unescape(live.send("GET", f"/s/habits/results{query}", None, headers).body.decode())


def test_of_an_open_survey_each_report_is_one_of_fifty(live: Live) -> None:
    assert told(live) is None
    assert HEADING not in page(live)
    live.fill(50)
    expected = {"epsilon": bound_of(50).epsilon, "delta": 1e-6, "n": 50}
    assert told(live) == expected
    live.fill(150)
    # Whoever kept the first snapshot can subtract it: more reports do not help its fifty.
    assert public_results(live.services.database, "habits").total == 200
    assert told(live) == expected


def test_a_survey_by_invitation_is_published_once_so_everybody_hides(staff: Live) -> None:
    staff.fill(130)
    assert told(staff) is None
    ending.close(staff.services.database, "habits")
    assert told(staff) == {"epsilon": bound_of(130).epsilon, "delta": 1e-6, "n": 130}
    assert bound_of(130).epsilon < bound_of(50).epsilon


def test_its_smallest_group_or_rest_counts(sites: Live) -> None:
    staff = sites
    staff.fill(90, "east")
    staff.fill(70, "west")
    staff.fill(60, "south")
    ending.close(staff.services.database, "habits")
    shown = public_results(staff.services.database, "habits")
    assert shown.sizes_by_label == {"east": 90, "west": 70, "south": 60}
    assert told(staff)["n"] == 60
    # The page of a group says the same: its readers see the other pages too.
    assert "one of at least 60 that are counted together" in page(staff, query="?group=east")


def fill_arms(live: Live, *arms: tuple[str, int], **randomized: Any) -> None:
    for arm, n in arms:
        live.fill(n, arm, **randomized)


def test_in_an_open_survey_with_groups_the_smallest_part_hides(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    """Totals at 50 and 100; of each arm 25 reports came before each."""
    draft["questions"][0]["epsilon"] = "0.1"
    draft["questions"][1]["epsilon"] = "0.1"
    with run_live(folder, with_groups(draft)) as live:
        fill_arms(live, ("arm-a", 25), ("arm-b", 50))
        live.fill(25, "arm-a")
        assert public_results(live.services.database, "habits").groups == {"0": 50, "1": 50}
        assert told(live)["n"] == 25


def test_in_an_open_survey_whose_groups_came_one_after_the_other_fifty_hide(arms: Live) -> None:
    live = arms
    fill_arms(live, ("arm-a", 100), ("arm-b", 100))
    assert public_results(live.services.database, "habits").groups == {"0": 100, "1": 100}
    assert told(live)["n"] == 50
    assert HEADING in page(live)


def test_with_groups_nothing_is_claimed_where_only_some_are_asked_a_question(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    with run_live(folder, {**with_groups(draft), "ask_each_person": "1"}) as live:
        fill_arms(live, ("arm-a", 100), ("arm-b", 100), smokes=1, drinks=None)
        assert public_results(live.services.database, "habits").groups == {"0": 100, "1": 100}
        assert told(live) is None


def test_the_page_gives_the_bound_with_its_assumptions(live: Live) -> None:
    live.fill(50)
    shown = page(live)
    assert HEADING in shown
    assert f"learns at most epsilon {bound_of(50).epsilon} about any one person’s answers" in shown
    assert "delta is 1 in 1,000,000" in shown
    assert "one of at least 50 that are counted together" in shown
    assert "the other answers come from honest devices" in shown
    assert "Towards the server, epsilon 1.5 holds, as promised." in shown
    assert "people of one household" in shown
    assert "several versions" not in shown


@pytest.mark.parametrize(
    ("language", "heading", "figure", "chance"),
    [
        ("de", "Was veröffentlichte Zahlen über eine Person verraten", "Epsilon 1,1", "1.000.000"),
        ("es", "Qué revelan las cifras publicadas sobre una persona", "épsilon 1,1", "1.000.000"),
        ("ar", "ما تكشفه الأرقام المنشورة عن شخص واحد", "إبسيلون \u20681.1\u2069", "1,000,000"),
    ],
)
def test_the_page_says_it_in_every_language(
    live: Live, language: str, heading: str, figure: str, chance: str
) -> None:
    live.fill(50)
    shown = page(live, language)
    assert heading in shown
    assert figure in shown
    assert chance in shown


def test_where_readers_may_learn_as_much_as_the_server_nothing_is_said(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    draft["questions"][0]["epsilon"] = "3"
    with run_live(folder, draft) as live:
        live.fill(50)
        assert told(live) is None
        assert HEADING not in page(live)


def test_of_several_versions_the_page_says_that_epsilons_add(
    live: Live, draft: dict[str, Any]
) -> None:
    draft["questions"][0]["epsilon"] = "3"
    again = publish_draft(live.services, draft, new_version=True).published.survey
    Live(live.url, live.folder, live.services, again).fill(50)
    shown = page(live)
    # Nothing is gained here, and so only the promise is repeated.
    assert "Towards everybody, epsilon 3.5 holds, as promised." in shown
    assert "For somebody who answered more than one of them, the epsilons add up." in shown


def test_live_results_and_exports_make_no_such_claim(live: Live) -> None:
    hire(live, "ana", Role.OWNER)
    live.fill(100)
    database = live.services.database
    assert readers_of(live_results(database, "habits")) is None
    answer = live.send("GET", "/api/surveys/habits/estimates", headers=key_of(live, "ana"))
    assert answer.json["readers"] is None
    export = logged_in(live, "ana").get("/workbench/surveys/habits/export").body.decode()
    assert HEADING not in export


def test_the_workbench_gives_the_bound_of_the_public_figures(live: Live) -> None:
    hire(live, "ana", Role.OWNER)
    browser = logged_in(live, "ana")
    live.fill(49)
    assert HEADING not in browser.get("/workbench/surveys/habits/results").body.decode()
    live.fill(20)
    shown = browser.get("/workbench/surveys/habits/results").body.decode()
    assert "These are all 69 reports" in shown
    assert "one of at least 50 that are counted together" in shown


def test_the_reports_of_a_test_hide_nobody(live: Live, draft: dict[str, Any]) -> None:
    tried = try_draft(live.services, draft).published.survey
    Live(live.url, live.folder, live.services, tried).fill(100)
    assert live.get("/t/habits/estimates.json").json["n"] == 100
    assert live.get("/t/habits/estimates.json").json["readers"] is None
    assert HEADING not in live.get("/t/habits/results").body.decode()


def test_the_bound_is_computed_once_however_often_the_page_is_read(live: Live) -> None:
    live.fill(100)
    page(live)
    before = KEPT.computed
    for query in ("", "?version=1", "?unknown=1"):
        page(live, query=query)
        told(live)
    assert KEPT.computed == before


def test_another_title_does_not_compute_it_again(live: Live, draft: dict[str, Any]) -> None:
    live.fill(50)
    page(live)
    before = KEPT.computed
    again = publish_draft(live.services, {**draft, "title": "T"}, new_version=True)
    Live(live.url, live.folder, live.services, again.published.survey).fill(50)
    page(live)
    # The figures of two questions are those of another document; the bound is not computed again.
    assert KEPT.computed == before + 2


def test_the_figures_of_the_documentation_come_out() -> None:
    text = " ".join((ROOT / "docs" / "running.md").read_text("utf-8").split())
    assert f"then give readers {bound_of(50).epsilon} instead of {TOTAL}." in text
    assert f"the same questions give readers {bound_of(1_000).epsilon}." in text
