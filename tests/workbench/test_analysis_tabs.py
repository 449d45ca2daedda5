"""The Compare and Cross-table tabs: figures a reader can check, and nothing about small groups."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

from server.data_folder import DataFolder
from server.lifecycle import ending
from server.results import analysis
from server.store.database import Connection
from server.store.results import read_groups
from server.surveys.researchers import Role
from server.surveys.strays import GroupChoice
from tests.support.clock import FakeClock, at
from tests.support.groups import with_groups
from tests.support.live import Live
from tests.support.live import live as run_live
from tests.support.publishing import publish_draft
from tests.support.researcher import Browser, hire, logged_in

Draft = dict[str, Any]
COMPARE = "/workbench/surveys/habits/compare"
CROSS = "/workbench/surveys/habits/cross"
PAIR = f"{CROSS}?first=smokes&second=drinks"
# A report is the truth with probability 3/4, so that p = 3/4 and q = 1/4.
LN_3 = "1.098612"
SIDES = {
    **{"row_prompt": "Smokes?", "rows": ["Never", "Daily"]},
    **{"column_prompt": "Vapes?", "columns": ["No", "Yes"]},
}


@pytest.fixture
def draft(draft: Draft) -> Draft:
    asked = [{**question, "epsilon": LN_3} for question in draft["questions"]]
    both = {"id": "both", "kind": "cross", "prompt": "Both?", "epsilon": "1", **SIDES}
    return {**draft, "questions": [*asked, both]}


@pytest.fixture
def live(folder: DataFolder, draft: Draft) -> Iterator[Live]:
    with run_live(folder, with_groups(draft)) as running:
        hire(running, "vera", Role.VIEWER)
        yield running


@pytest.fixture
def vera(live: Live) -> Browser:
    return logged_in(live, "vera")


def fill(live: Live, count: int, group: str = "", smokes: int = 0, drinks: int = 0) -> None:
    live.fill(count, group, smokes=smokes, drinks=drinks, both=[0])


def fill_arm(live: Live, group: str, yes: int, no: int) -> None:
    fill(live, yes, group, smokes=1)
    fill(live, no, group)


def close(live: Live) -> None:
    """Close the survey: from then on groups are told apart."""
    ending.close(live.services.database, "habits", groups=GroupChoice.KEEP)


def fill_pairs(live: Live) -> None:
    """A hundred reports, in which both answers are more often alike than not."""
    for (smokes, drinks), count in {(1, 1): 30, (1, 0): 20, (0, 1): 20, (0, 0): 30}.items():
        fill(live, count, smokes=smokes, drinks=drinks)


def words(browser: Browser, path: str, status: int = 200) -> str:
    """Return the text of a page."""
    answer = browser.get(path)
    assert answer.status == status, answer.body
    page = answer.body.decode().partition("<main")[2]
    plain = re.sub(r"<svg.*?</svg>|<option.*?</option>|<[^>]*>", " ", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(plain))


def test_groups_stand_side_by_side_with_their_difference(live: Live, vera: Browser) -> None:
    fill_arm(live, "arm-a", 30, 10)
    fill_arm(live, "arm-b", 20, 20)
    close(live)
    said = words(vera, COMPARE)
    # (3/4 - 1/4) / (1/2) and (1/2 - 1/4) / (1/2), twice as much.
    assert re.search(r"arm-a 40 100\.0% [\d.]+% to [\d.]+%", said)
    assert re.search(r"arm-b 40 50\.0% [\d.]+% to [\d.]+%", said)
    assert "One comparison was made." in said
    assert re.search(r"arm-a arm-b \+50\.0 \+[\d.]+ to \+[\d.]+ 2\.00 [\d.]+ to [\d.]+", said)
    # The chi-square of the reports is (1/4)^2 / (5/8 * 3/8 * 2/40) = 16/3.
    assert "0.0209" in said
    assert "whose true answer is “Yes”" in said


def test_a_reference_group_makes_fewer_comparisons(live: Live, vera: Browser) -> None:
    for arm in ("arm-a", "arm-b", "arm-c"):
        fill_arm(live, arm, 25, 15)
    close(live)
    every = words(vera, COMPARE)
    assert "3 comparisons were made." in every
    assert "The intervals of the 3 differences hold together with 95 % confidence" in every
    assert "all groups at once: chi-square 0.00 with 2 degrees of freedom" in every
    assert "no difference between the groups is shown" in every
    some = words(vera, f"{COMPARE}?question=smokes&reference=arm-c")
    assert "2 comparisons were made." in some
    assert "arm-a arm-c +0.0" in some
    assert "arm-a arm-b" not in some


def test_a_question_is_compared_by_one_of_its_options(live: Live, vera: Browser) -> None:
    for arm in ("arm-a", "arm-b"):
        fill_arm(live, arm, 25, 15)
    close(live)
    # The four cells of the table, in one pair of groups.
    assert "4 comparisons were made." in words(vera, f"{COMPARE}?question=both")
    option = live.survey.questions[2].options[1]
    said = words(vera, f"{COMPARE}?question=both&option={option.replace(' ', '+')}")
    assert "One comparison was made." in said
    assert f"whose true answer is “{option}”" in said


def test_groups_are_told_apart_once_the_survey_is_closed(live: Live, vera: Browser) -> None:
    fill_arm(live, "arm-a", 30, 10)
    fill_arm(live, "arm-b", 20, 20)
    said = words(vera, COMPARE)
    assert "Nothing to compare" in said
    assert "Groups are told apart when the survey is closed" in said
    assert "arm-a" not in said
    assert vera.get(f"{COMPARE}?format=svg").status == 404
    close(live)
    assert "arm-a 40" in words(vera, COMPARE)
    figure = vera.get(f"{COMPARE}?question=smokes&format=pdf")
    assert 'filename="habits-v1-compare-smokes.pdf"' in figure.headers["Content-Disposition"]
    assert figure.body.startswith(b"%PDF")
    # No such group is shown: each is compared with every other.
    assert "arm-a 40" in words(vera, f"{COMPARE}?reference=arm-c")


def test_a_group_below_twenty_reports_is_not_told_apart(live: Live, vera: Browser) -> None:
    fill_arm(live, "arm-a", 10, 9)
    fill_arm(live, "arm-b", 30, 10)
    close(live)
    said = words(vera, COMPARE)
    assert "Nothing to compare" in said
    assert "no two groups with at least 20 reports each" in said
    assert 'href="/workbench/surveys/habits/invitations"' in vera.get(COMPARE).body.decode()
    assert "arm-a" not in said


def test_the_reports_of_a_live_table_are_not_to_be_shared(live: Live, vera: Browser) -> None:
    fill_pairs(live)
    said = words(vera, PAIR)
    assert "Live, and not public" in said
    assert "Please do not share these results while the survey is open" in said
    figure = vera.get(f"{PAIR}&format=svg")
    assert 'filename="habits-v1-LIVE-cross.svg"' in figure.headers["Content-Disposition"]
    assert b"<svg" in figure.body
    close(live)
    assert "The survey is closed; nothing here will change." in words(vera, PAIR)


def test_a_survey_by_invitation_shows_neither_tab_before_it_is_closed(
    folder: DataFolder, draft: Draft
) -> None:
    with run_live(folder, {**with_groups(draft), "access": "invited"}) as live:
        hire(live, "vera", Role.VIEWER)
        vera = logged_in(live, "vera")
        for group in ("arm-a", "arm-b"):
            live.fill(30, group, both=[0])
        # What a page does not show is not even read.
        assert read_groups(live.services.database.reader, "habits") == {}
        for path in (COMPARE, PAIR):
            assert "Sealed until it is closed" in words(vera, path)
            assert vera.get(f"{path}{'&' if '?' in path else '?'}format=svg").status == 409
        ending.close(live.services.database, "habits")
        assert "arm-a 30" in words(vera, COMPARE)
        assert "60 reports answer both questions" in words(vera, PAIR)


def test_two_questions_are_crossed_and_related(live: Live, vera: Browser) -> None:
    fill_pairs(live)
    said = words(vera, PAIR)
    assert "100 reports answer both questions." in said
    # Scores are 3/2 for a yes and -1/2 for a no: (30 * 9/4 - 40 * 3/4 + 30 / 4) / 100 = 0.45, of
    # half the people.
    assert "Yes 10% " in said
    assert re.search(r"Yes 5\.0% ± [\d.]+% 45\.0% ± [\d.]+% 50\.0% ± 10\.1%", said)
    assert "90% " in said
    # Pearson's chi-square of the reports: 100 (900 - 400)^2 / 50^4.
    assert "chi-square 4.00 with 1 degree of freedom, p = 0.0455" in said
    assert "the answers are related" in said
    assert "Phi is 0.80" in said
    assert "One question of the kind cross with the same total epsilon" in said


def test_a_question_about_both_is_a_table_by_itself(live: Live, vera: Browser) -> None:
    fill_pairs(live)
    assert "choose no second question" in words(vera, CROSS)
    said = words(vera, f"{CROSS}?first=both")
    assert "Smokes? – Vapes?" in said
    assert "100 reports answer the question." in said
    assert "Never" in said


def test_nothing_is_computed_before_it_is_asked_for(live: Live, vera: Browser) -> None:
    assert "no reports of version 1 to make a table of" in words(vera, PAIR)
    fill_pairs(live)
    said = words(vera, CROSS)
    assert "Of each row" not in said
    # The first two questions are chosen already.
    chosen = re.findall(r'<option value="(\w+)" selected>', vera.get(CROSS).body.decode())
    assert chosen == ["smokes", "drinks"]


def test_a_choice_that_makes_no_table_is_told_in_the_words_of_the_form(
    live: Live, vera: Browser
) -> None:
    fill_pairs(live)
    refused = {
        "first=smokes": "Choose a second question: only a question of the kind cross is a table",
        "first=smokes&second=smokes": "Smokes cannot be crossed with itself, unless you name",
        "first=smokes&first_part=Maybe&second=drinks": "There is no answer 'Maybe'; there are No",
    }
    for query, sentence in refused.items():
        assert sentence in words(vera, f"{CROSS}?{query}", 400)
        assert vera.get(f"{CROSS}?{query}&format=svg").status == 404
    assert "the survey has no question 'age'" in words(vera, f"{CROSS}?first=age", 400).lower()
    assert "must be svg, png or pdf, got 'gif'" in words(vera, f"{PAIR}&format=gif", 400)


def test_of_two_tables_at_once_one_is_told_to_try_again(live: Live, vera: Browser) -> None:
    fill_pairs(live)
    words(vera, PAIR)
    with analysis._CROSSING:
        said = words(vera, f"{CROSS}?first=drinks&second=smokes", 503)
        assert "being computed for somebody else; try again in a moment" in said.lower()
        # Nobody waits for a table that is known, for one that a tally gives, or for other work.
        for path in (PAIR, f"{CROSS}?first=both", COMPARE):
            words(vera, path)
        assert live.post(live.report(both=[0]), live.ticket("arm-a")).status == 201
    assert "101 reports answer both" in words(vera, f"{CROSS}?first=drinks&second=smokes")


def test_of_two_comparisons_at_once_one_is_told_to_try_again(live: Live, vera: Browser) -> None:
    fill_arm(live, "arm-a", 30, 10)
    fill_arm(live, "arm-b", 20, 20)
    close(live)
    words(vera, COMPARE)
    with analysis._COMPARING:
        words(vera, COMPARE)
        words(vera, f"{COMPARE}?question=drinks", 503)


def test_a_new_report_is_in_the_next_table(live: Live, vera: Browser) -> None:
    fill_pairs(live)
    assert "100 reports answer both" in words(vera, PAIR)
    fill(live, 1)
    assert "101 reports answer both" in words(vera, PAIR)


def test_an_earlier_version_keeps_its_tables(live: Live, vera: Browser, draft: Draft) -> None:
    fill_pairs(live)
    publish_draft(live.services, {**draft, "title": "Again"}, new_version=True)
    assert "no reports of version 2" in words(vera, PAIR)
    page = f"{PAIR}&version=1"
    assert "100 reports answer both" in words(vera, page)
    assert '<input type="hidden" name="version" value="1">' in vera.get(page).body.decode()


def test_more_reports_than_a_page_counts_are_left_to_the_command(live: Live, vera: Browser) -> None:
    fill_pairs(live)

    def pretend(db: Connection) -> None:
        db.execute("UPDATE surveys SET reports = ?", [analysis.MOST_REPORTS + 1])

    live.services.database.write(pretend)
    said = words(vera, PAIR, 400)
    assert "at most 200,000 reports, and there are 200,001" in said
    assert "use the command candor cross" in said
    assert "Smokes? – Vapes?" in words(vera, f"{CROSS}?first=both")


def test_no_table_outlives_the_reports_it_was_counted_from(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, {**draft, "delete_on": "2026-12-24"}) as live:
        hire(live, "vera", Role.VIEWER)
        fill_pairs(live)
        assert "100 reports answer both" in words(logged_in(live, "vera"), PAIR)
        clock.now = "2026-12-24T00:00:00Z"
        ending.finish_due(live.services.database)
        said = words(logged_in(live, "vera"), PAIR, 400)
        assert "the reports have been deleted" in said.lower()


@pytest.mark.parametrize("path", [COMPARE, PAIR])
def test_a_researcher_without_a_role_sees_neither_tab(live: Live, path: str) -> None:
    fill_pairs(live)
    assert live.get(path).status == 303
    hire(live, "bea")
    assert logged_in(live, "bea").get(path).status == 404
