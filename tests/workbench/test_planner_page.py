"""The planner's page: the same figures as the command, from a form that changes nothing."""

import html
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from server.data_folder import DataFolder
from tests.support.live import live as run_live
from tests.support.researcher import Browser, hire, logged_in

DRAFT: dict[str, Any] = {
    "slug": "habits",
    "title": "Habits",
    "delete_on": "2999-12-31",
    "questions": [{"id": "smokes", "prompt": "Do you smoke?", "epsilon": "1"}],
}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A researcher without any survey."""
    with run_live(DataFolder(tmp_path_factory.mktemp("planner")), DRAFT) as live:
        hire(live, "ana")
        yield logged_in(live, "ana")


def page(browser: Browser, status: int = 200, **fields: str) -> str:
    answer = browser.get("/workbench/planner" + (f"?{urlencode(fields)}" if fields else ""))
    assert answer.status == status, answer.body
    # A sign stays beside its figure, whatever the width of the page.
    return html.unescape(answer.body.decode()).replace("±\N{NO-BREAK SPACE}", "± ")


def figure(text: str, name: str) -> str:
    found = re.search(rf"<dt>{name}</dt><dd>([^<]*)</dd>", text)
    assert found is not None, text
    return found[1].strip()


def sentence(text: str) -> str:
    found = re.search(r'<p class="sentence" role="status">([^<]*)</p>', text)
    assert found is not None, text
    return found[1]


def test_at_first_it_plans_three_points_at_epsilon_1(browser: Browser) -> None:
    text = page(browser)
    assert sentence(text) == (
        "For a margin of ± 3 percentage points you need 4,997 respondents; "
        "a direct question would need 1,067."
    )
    assert figure(text, "Respondents") == "4,997"
    assert figure(text, "Margin") == "± 3 percentage points"
    assert figure(text, "Cost compared with a direct question") == "4.68 ×"
    assert figure(text, "Effective sample size") == "1,067"
    assert figure(text, "Cost compared with a trusted curator") == "4.65 ×"


def test_a_number_of_respondents_gives_a_margin(browser: Browser) -> None:
    text = page(browser, wish="respondents", respondents="4,997", epsilon="1")
    # 4,997 direct answers: 1.96 / sqrt(4 * 4,997) = 1.39 points.
    assert sentence(text) == (
        "With 4,997 respondents the margin is ± 3 percentage points; "
        "for a direct question it would be ± 1.39 percentage points."
    )


def test_two_groups_take_what_table_12_says(browser: Browser) -> None:
    text = page(browser, wish="groups", first="30", second="25", power="80 %", epsilon="0.5")
    # What is not compared is not explained.
    assert "curator" not in text
    assert figure(text, "Respondents per group") == "25,851"
    assert sentence(text).startswith(
        "To tell 30 % from 25 % with a power of 80 % you need 25,851 respondents in each group; "
    )
    text = page(browser, wish="power", first="30", second="25", respondents="25851", epsilon="0.5")
    assert figure(text, "Power") == "80.0%"
    assert sentence(text).startswith(
        "25,851 respondents in each group tell 30 % from 25 % with a power of 80 %; "
    )
    # The textbook's 1,251 for a direct question, with the pooled variance of the test.
    text = page(browser, wish="power", first="30", second="25", respondents="1251")
    assert sentence(text).endswith("; with direct questions it would be 80 %.")


def test_a_mean_has_a_margin_in_its_own_unit(browser: Browser) -> None:
    text = page(browser, kind="number", lo="0", hi="60", margin="5")
    assert sentence(text).startswith("For a margin of ± 3 you need ")


@pytest.mark.parametrize("kind", ["number", "scale"])
def test_a_mean_that_can_be_declined_costs_more_and_says_what_it_assumes(
    browser: Browser, kind: str
) -> None:
    assumed = "Where a mean can be declined, 10 % of the people are taken to do so."
    shape = {"kind": kind, "lo": "0", "hi": "60", "margin": "5", "scale_goal": "mean"}
    plain, declined = page(browser, 200, **shape), page(browser, 200, **shape, decline="true")
    assert assumed not in plain
    assert assumed in declined
    needed = [int(figure(text, "Respondents").replace(",", "")) for text in (plain, declined)]
    assert needed[0] < needed[1]
    assert figure(declined, "Randomized by") == "sliding window"
    # Of shares nothing is assumed: silence is one more option.
    assert assumed not in page(browser, kind="scale", lo="1", hi="5", decline="true")


def test_of_a_share_that_a_direct_question_never_misses_nothing_is_compared(
    browser: Browser,
) -> None:
    text = page(browser, wish="power", first="0", second="100", respondents="3")
    assert sentence(text).startswith("3 respondents in each group tell 0 % from 100 % with a power")
    assert "direct" not in sentence(text)
    text = page(browser, share="0")
    assert sentence(text).endswith(" respondents.")
    assert figure(text, "Effective sample size") == "–"


@pytest.mark.parametrize(
    ("format", "begins"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")]
)
def test_the_figure_is_downloaded_with_the_plan_of_the_page(
    browser: Browser, format: str, begins: bytes
) -> None:
    text = page(browser, kind="one_of", options="7", epsilons="1, 2")
    link = re.search(rf'href="(/workbench/planner/margins\.{format}[^"]*)"', text)
    assert link is not None
    answer = browser.get(link[1])
    assert answer.status == 200
    assert answer.body.startswith(begins)
    if format == "svg":
        assert b"asked directly" in answer.body
        assert answer.body != browser.get("/workbench/planner/margins.svg").body


@pytest.mark.parametrize(
    ("fields", "mechanism", "sent"),
    [
        ({"kind": "yes_no"}, "randomized response", "The true answer, or by chance the other one"),
        ({"kind": "one_of", "options": "10"}, "subset selection", "3 of the 10 options"),
        (
            {"kind": "any_of", "options": "20", "at_most": "3"},
            "private set",
            "2 out of the 20 options and 3 blank ones",
        ),
        ({"kind": "any_of", "options": "5"}, "sampled boxes", "Ticked or not for 1 of the 5 boxes"),
        (
            {"kind": "scale", "lo": "1", "hi": "5", "scale_goal": "mean"},
            "random threshold",
            "Whether the answer is at least a number",
        ),
        (
            {"kind": "number", "lo": "0", "hi": "60", "step": "0.5"},
            "random threshold",
            "Whether the answer is at least a number",
        ),
        (
            {"kind": "number", "lo": "0", "hi": "60", "number_goal": "distribution"},
            "sliding window",
            "A range of numbers",
        ),
    ],
    ids=lambda value: value["kind"] if isinstance(value, dict) else "",
)
def test_every_kind_gets_the_mechanism_of_a_survey(
    browser: Browser, fields: dict[str, str], mechanism: str, sent: str
) -> None:
    text = page(browser, 200, **fields)
    assert figure(text, "Randomized by") == mechanism
    assert f"What is sent: {sent}" in text
    assert text.count("<polyline") == 6


def test_the_figure_has_a_line_per_epsilon_and_its_table_the_same_margins(browser: Browser) -> None:
    text = page(browser, epsilons="1, 2")
    assert text.count("<polyline") == 3
    row = re.search(r"epsilon 1</th>\s*(.*?)\s*</tr>", text, re.DOTALL)
    assert row is not None
    # Table 12: 4,997 respondents for 3 points, so 10,000 for 2.12.
    assert re.findall(r"± ([0-9.]+) %", row[1]) == ["21.2", "6.71", "2.12", "0.671"]
    heights = [
        [float(point.split(",")[1]) for point in points.split()]
        for points in re.findall(r'points="([^"]+)"', text)
    ]
    assert all(line == sorted(line) for line in heights)
    assert all(10 <= height <= 264 for line in heights for height in line)


@pytest.mark.parametrize(
    ("fields", "name", "reason"),
    [
        ({"epsilon": "0"}, "epsilon", "between 0.01 and 10"),
        ({"margin": "x"}, "margin", "Margin: 'x' is not a number"),
        ({"margin": "nan"}, "margin", "Margin must be more than 0 and less than 100 %, got nan"),
        ({"wish": "respondents", "respondents": "-1"}, "respondents", "is not a number"),
        ({"wish": "respondents", "respondents": "0"}, "respondents", "at least 1"),
        ({"share": "101"}, "share", "True share must be from 0 to 100 %, got 101"),
        ({"wish": "groups", "first": "20", "second": "20"}, "second", "got 20 % twice"),
        ({"wish": "power", "first": "7 %", "second": "7%"}, "second", "got 7 % twice"),
        ({"epsilons": "1, 11"}, "epsilons", "Each must be between 0.01 and 10, got 11"),
        ({"wish": "groups", "power": "100"}, "power", "Power must be more than 0"),
        ({"wish": "groups", "kind": "number"}, "wish", "but this survey estimates only means"),
        ({"kind": "one_of", "options": "1"}, "options", "2 to 20000 labels"),
        ({"kind": "scale", "hi": "-1"}, "hi", "The highest must be above the lowest"),
        ({"kind": "number", "lo": "x"}, "lo", "The lowest must be a plain decimal"),
        ({"kind": "scale", "scale_goal": "luck"}, "scale_goal", "shares or mean"),
        ({"kind": "one_of", "options": "9" * 17}, "options", "at most"),
        ({"kind": "poll"}, "kind", "is not known"),
        ({"wish": "luck"}, "wish", "Choose from the list what you want"),
        ({"epsilons": "1,1,1,1,1,1,1"}, "epsilons", "1 to 6 epsilons"),
        ({"epsilons": ""}, "epsilons", "1 to 6 epsilons"),
        ({"confidence": "100"}, "confidence", "Confidence must be more than 0"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_named_beside_its_field(
    browser: Browser, fields: dict[str, str], name: str, reason: str
) -> None:
    text = page(browser, 400, **fields)
    found = re.search(r'<p class="wrong" id="(\w+)-wrong" role="alert">([^<]*)', text)
    assert found is not None
    assert reason in found[2]
    assert found[1] == name
    assert "What it takes" not in text
    # Once more where one looks after pressing, with a way to the field.
    assert f'<a href="#{name}">' in text


@pytest.mark.parametrize(
    ("fields", "whole"),
    [
        ({"epsilon": "0"}, "Epsilon must be between 0.01 and 10, got 0."),
        ({"margin": "x"}, "Margin: 'x' is not a number."),
        ({"kind": "scale", "hi": "-1"}, "The highest must be above the lowest"),
        ({"epsilons": ""}, "Epsilons in the figure: Give 1 to 6 epsilons, separated by commas."),
        (
            {"wish": "groups", "first": "20", "second": "20"},
            "Share in the other group, %: The two shares must differ, got 20 % twice.",
        ),
    ],
    ids=str,
)
def test_the_trouble_names_its_field_once(
    browser: Browser, fields: dict[str, str], whole: str
) -> None:
    trouble = page(browser, 400, **fields).partition("This cannot be planned</h2>")[2]
    said = re.sub(r"<[^>]*>", "", trouble.partition("</section>")[0]).strip()
    assert said.startswith(whole)


def test_the_planner_is_reached_from_every_page(browser: Browser) -> None:
    assert b'href="/workbench/planner"' in browser.get("/workbench").body


@pytest.mark.parametrize("field", ["margin", "confidence", "share", "first"])
def test_a_number_that_is_nearly_zero_is_planned_or_refused(browser: Browser, field: str) -> None:
    """A margin whose square is nothing, or a confidence without a quantile, ended in a 500."""
    for wish in ("margin", "respondents", "groups", "power"):
        fields = {"wish": wish, "second": "0", field: "1e-308"}
        answer = browser.get(f"/workbench/planner?{urlencode(fields)}")
        assert answer.status in (200, 400), answer.body


@pytest.mark.parametrize("name", ["format", "_method", "_anchor", "endpoint"])
def test_a_field_that_the_form_does_not_have_is_no_error(browser: Browser, name: str) -> None:
    text = page(browser, 200, **{name: "svg", "epsilon": "2"})
    (link,) = re.findall(r'href="(/workbench/planner[^"]*\.svg\?[^"]*)"', text)
    assert browser.get(link).body.startswith(b"<?xml")


def test_it_finds_the_epsilon_for_a_margin_and_a_number_of_people(browser: Browser) -> None:
    text = page(browser, wish="epsilon", respondents="2000", margin="5", response="50")
    assert sentence(text).startswith(
        "2,000 respondents and 5 percentage points: epsilon 0.95, that is strong protection. "
        "With 2,000 respondents the margin is ± 4.96 percentage points"
    )
    assert "With 2,000 respondents (4,000 people invited), the half-width" in text
    refused = page(browser, status=400, wish="epsilon", respondents="20", margin="1")
    assert "cannot be kept with 20 respondents" in refused
