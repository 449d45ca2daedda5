"""The channel test for a survey with a question of every kind and every mechanism.

Two crowds with opposite truths in every question, one of which skip logic hides from one crowd:
everything but the report is the same, and each randomized answer follows its exact channel.
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser
from scipy.stats import binomtest

from client.draft import build_survey
from tests.browser.one_script import changed_script
from tests.browser.server_process import ServerProcess, serving
from tests.browser.sessions import Session, Step, Watched, crowd
from tests.exact_channel import channel_of

EACH = 120
# For each question and truth: exact binomial tests of all its reports, divided by their number.
FALSE_ALARM = 1e-6
DRAFT: dict[str, Any] = {
    "slug": "every-kind",
    "title": "Every kind",
    "delete_on": "2999-12-31",
    "epsilon": "1",
    "questions": [
        {"id": "rr", "prompt": "Have you ever?"},
        {
            "id": "ss",
            "kind": "one_of",
            "prompt": "Which one?",
            "options": ["canary-a", "canary-b", "canary-c", "canary-d"],
            "decline": True,
        },
        {
            "id": "hr",
            "kind": "one_of",
            "prompt": "Which of the long list?",
            "options": [f"canary-name-{number:02}" for number in range(13)],
            "mechanism": "hr",
        },
        {
            "id": "smp",
            "kind": "any_of",
            "prompt": "Which ones?",
            "options": ["canary-x", "canary-y", "canary-z"],
        },
        {
            "id": "privset",
            "kind": "any_of",
            "prompt": "Which two?",
            "options": [f"canary-{number}" for number in range(5)],
            "at_most": 2,
            "mechanism": "privset",
        },
        {"id": "rt", "kind": "scale", "prompt": "How much?", "lo": 0, "hi": 4, "goal": "mean"},
        {
            "id": "isw",
            "kind": "number",
            "prompt": "How many?",
            "lo": "0",
            "hi": "4",
            "mechanism": "isw",
        },
        {
            "id": "cross",
            "kind": "cross",
            "prompt": "Both?",
            "row_prompt": "The one?",
            "column_prompt": "The other?",
        },
        {"id": "hidden", "prompt": "And then?", "show_if": {"question": "rr", "is": ["Yes"]}},
    ],
}
SURVEY = build_survey(DRAFT)
ANSWERS: list[dict[str, Any]] = [
    {
        **{"rr": 0, "ss": 0, "hr": 0, "smp": [], "privset": [0, 1], "rt": 0, "isw": 0},
        **{"cross": 0, "hidden": 2},
    },
    {
        **{"rr": 1, "ss": 4, "hr": 12, "smp": [0, 1, 2], "privset": [], "rt": 4, "isw": 4},
        **{"cross": 3, "hidden": 1},
    },
]
TRUTHS: list[list[Step]] = [
    [
        *((0, 0, None), (1, 0, None), (2, 0, "canary-name-00"), (3, 3, None), (4, 0, None)),
        *((4, 1, None), (5, 0, None), (6, 0, "0"), (7, 0, None), (7, 2, None)),
    ],
    [
        *((0, 1, None), (1, 4, None), (2, 0, "canary-name-12"), (3, 0, None), (3, 1, None)),
        *((3, 2, None), (4, 5, None), (5, 4, None), (6, 0, "4"), (7, 1, None), (7, 3, None)),
        (8, 1, None),
    ],
]
MECHANISMS = {question.id: question.mechanism for question in SURVEY.questions}


@pytest.fixture(scope="module")
def kinds_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("every-kind"), DRAFT) as running:
        yield running


@pytest.fixture(scope="module")
def watched(browser: Browser, kinds_server: ServerProcess) -> Watched:
    with crowd(browser, kinds_server, "every-kind", TRUTHS) as respondents:
        return Watched(respondents.alternate(EACH), kinds_server)


def agrees(sessions: list[Session], id: str, truth: int) -> bool:
    """Does every report of a question come as often as its exact channel says?"""
    counts = Counter(json.dumps(session.randomized[id]) for session in sessions)
    channel = channel_of(MECHANISMS[id], ANSWERS[truth][id])
    assert counts.keys() <= channel.keys()
    return all(
        binomtest(counts[report], len(sessions), float(chance)).pvalue > FALSE_ALARM / len(channel)
        for report, chance in channel.items()
    )


def test_the_survey_has_every_kind_and_every_mechanism() -> None:
    assert {mechanism.name for mechanism in MECHANISMS.values()} == {
        *("rr", "ss", "hr", "smp", "privset", "rt", "isw")
    }
    assert len({question.kind.name for question in SURVEY.questions}) == 6


@pytest.mark.parametrize("truth", [0, 1], ids=["low", "high"])
@pytest.mark.parametrize("id", MECHANISMS)
def test_the_reports_of_every_question_agree_with_their_exact_channel(
    watched: Watched, id: str, truth: int
) -> None:
    sessions = watched.of(truth)
    assert len(sessions) == EACH
    assert agrees(sessions, id, truth)


def test_the_reports_of_one_truth_do_not_agree_with_the_channel_of_the_other(
    watched: Watched,
) -> None:
    """The comparison has power: of 120 reports at 0.27, 62 that look like 0.73 come once in 1e8."""
    assert not agrees(watched.of(0), "rr", 1)


@pytest.mark.parametrize("whole", [True, False], ids=["whole page", "script again"])
def test_both_crowds_are_the_same_on_the_wire_but_for_the_report(
    watched: Watched, whole: bool
) -> None:
    sessions = [session for session in watched.sessions if session.whole is whole]
    assert {session.truth for session in sessions} == {0, 1}
    assert len({session.shape for session in sessions}) == 1


def test_every_report_has_one_length_whatever_is_in_it(watched: Watched) -> None:
    bodies = [session.handed_in.body for session in watched.sessions]
    assert {len(body) for body in bodies} == {SURVEY.report_bytes}
    # The padding has work to do: without it the lengths differ.
    assert len({len(body.rstrip()) for body in bodies}) > 1


def test_nothing_of_an_answer_stays_on_the_device_or_leaves_it(watched: Watched) -> None:
    for session in watched.sessions:
        assert session.kept_only_the_report
        assert session.device["filled"] == 0
        assert session.device["databases"] == [{"name": "candor", "version": 1}]
        assert not any(b"canary" in request.raw for request in session.sent)


def test_a_report_without_its_padding_is_seen(
    browser: Browser, kinds_server: ServerProcess
) -> None:
    with crowd(browser, kinds_server, "every-kind", TRUTHS) as respondents:
        padding = ".padEnd(survey.reportBytes)"
        changed_script(respondents.page, ("report.js", padding, ""))
        sessions = respondents.alternate(8)
    shapes = {session.shape for session in sessions if not session.whole}
    assert len(shapes) > 1
