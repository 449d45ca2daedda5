"""The planner's page: the same figures as the command, from a form that changes nothing."""

import html
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from server.data import DataFolder
from tests.live import live as run_live
from tests.researcher import Browser, hire, logged_in

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
    return html.unescape(answer.body.decode())


def figure(text: str, name: str) -> str:
    found = re.search(rf"<dt>{name}</dt><dd>([^<]*)</dd>", text)
    assert found is not None, text
    return found[1].strip()


def test_at_first_it_plans_three_points_at_epsilon_1(browser: Browser) -> None:
    text = page(browser)
    assert figure(text, "Respondents") == "4,997"
    assert figure(text, "Margin") == "± 3.00%"
    assert figure(text, "Cost beside a direct question") == "4.68 ×"
    assert figure(text, "Effective sample") == "1,067"
    assert figure(text, "Cost beside a trusted curator") == "4.65 ×"


def test_a_number_of_respondents_gives_a_margin(browser: Browser) -> None:
    text = page(browser, wish="respondents", respondents="4,997", epsilon="1")
    assert figure(text, "Margin") == "± 3.00%"


def test_two_groups_take_what_table_12_says(browser: Browser) -> None:
    text = page(browser, wish="groups", first="0.30", second="0.25", power="0.8", epsilon="0.5")
    assert figure(text, "Respondents per group") == "25,848"
    text = page(
        browser, wish="power", first="0.30", second="0.25", respondents="25848", epsilon="0.5"
    )
    assert figure(text, "Power") == "80.0%"


@pytest.mark.parametrize(
    ("fields", "mechanism", "sent"),
    [
        ({"kind": "yes_no"}, "randomized response", "The true answer, or by chance the other one"),
        ({"kind": "one_of", "options": "10"}, "subset selection", "3 of the 10 options"),
        (
            {"kind": "any_of", "options": "20", "at_most": "3"},
            "private subset",
            "2 out of the 20 options and 3 blank ones",
        ),
        ({"kind": "any_of", "options": "5"}, "sampled boxes", "Ticked or not for 1 of the 5 boxes"),
        (
            {"kind": "scale", "lo": "1", "hi": "5", "goal": "mean"},
            "random threshold",
            "Whether the answer is at least a number",
        ),
        (
            {"kind": "number", "lo": "0", "hi": "60", "step": "0.5"},
            "random threshold",
            "Whether the answer is at least a number",
        ),
        (
            {"kind": "number", "lo": "0", "hi": "60", "goal": "distribution"},
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
        ({"margin": "x"}, "margin", "Margin: 'x' is no number"),
        ({"margin": "nan"}, "margin", "margin must be between 0 and 1"),
        ({"wish": "respondents", "respondents": "-1"}, "respondents", "is no number"),
        ({"wish": "groups", "first": "0.2", "second": "0.2"}, "share", "must differ"),
        ({"wish": "groups", "power": "1"}, "power", "power must be between 0 and 1"),
        ({"kind": "one_of", "options": "1"}, "", "2 to 20000 labels"),
        ({"kind": "one_of", "options": "9" * 17}, "options", "at most"),
        ({"kind": "poll"}, "kind", "is not known"),
        ({"wish": "luck"}, "wish", "choose what is wanted"),
        ({"epsilons": "1,1,1,1,1,1,1"}, "epsilons", "1 to 6 epsilons"),
        ({"epsilons": ""}, "epsilons", "1 to 6 epsilons"),
        ({"confidence": "1"}, "confidence", "confidence must be between 0 and 1"),
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
    assert name in ("", found[1])
    assert "What it takes" not in text


def test_the_planner_is_reached_from_every_page(browser: Browser) -> None:
    assert b'href="/workbench/planner"' in browser.get("/workbench").body


@pytest.mark.parametrize("field", ["margin", "confidence", "share", "first"])
def test_a_number_that_is_nearly_zero_is_planned_or_refused(browser: Browser, field: str) -> None:
    """A margin whose square is nothing, or a confidence without a quantile, ended in a 500."""
    for wish in ("margin", "respondents", "groups", "power"):
        fields = {"wish": wish, "second": "0", field: "1e-308"}
        answer = browser.get(f"/workbench/planner?{urlencode(fields)}")
        assert answer.status in (200, 400), answer.body
