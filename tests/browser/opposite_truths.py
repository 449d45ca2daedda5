"""A survey with a question of every kind, goal and mechanism, and two respondents who disagree in
every one of them; skip logic hides one question from the first."""

from typing import Any

from client.authoring.draft.survey import build_survey
from tests.browser.sessions import Steps

DRAFT: dict[str, Any] = {
    "slug": "every-kind",
    "title": "Every kind",
    "delete_on": "2999-12-31",
    "consent": "# Before you begin\n\n- [More](https://example.org/)",
    "closing": "**Help:** [write](mailto:help@example.org)",
    "questions": [
        # The most that a report may tell here, so that the hunter has something to learn.
        {"id": "yes_no", "prompt": "Have you ever?", "epsilon": "2"},
        {
            "id": "one_of",
            "kind": "one_of",
            "prompt": "Which one?",
            "options": ["canary-a", "canary-b", "canary-c", "canary-d"],
            "decline": True,
            "epsilon": "1",
        },
        {
            "id": "long_list",
            "kind": "one_of",
            "prompt": "Which of the long list?",
            "options": [f"canary-name-{number:02}" for number in range(13)],
            "mechanism": "hr",
            "epsilon": "1",
        },
        {
            "id": "boxes",
            "kind": "any_of",
            "prompt": "Which ones?",
            "options": ["canary-x", "canary-y", "canary-z"],
            "mechanism": "smp",
            "epsilon": "0.8",
        },
        {
            "id": "few_boxes",
            "kind": "any_of",
            "prompt": "Which two?",
            "options": [f"canary-{number}" for number in range(5)],
            "at_most": 2,
            "mechanism": "privset",
            "epsilon": "0.8",
        },
        {
            **{"id": "scale", "kind": "scale", "prompt": "How much?", "lo": 0, "hi": 4},
            **{"goal": "shares", "epsilon": "0.8"},
        },
        {
            **{"id": "scale_mean", "kind": "scale", "prompt": "How often?", "lo": 0, "hi": 4},
            **{"goal": "mean", "mechanism": "rt", "epsilon": "0.8"},
        },
        {
            **{"id": "number", "kind": "number", "prompt": "How many?", "lo": "0", "hi": "40"},
            **{"goal": "mean", "mechanism": "rt", "epsilon": "0.8"},
        },
        {
            **{"id": "spread", "kind": "number", "prompt": "How long?", "lo": "0", "hi": "4"},
            **{"goal": "distribution", "mechanism": "isw", "epsilon": "0.8"},
        },
        {
            "id": "cross",
            "kind": "cross",
            "prompt": "Both?",
            "row_prompt": "The one?",
            "column_prompt": "The other?",
            "epsilon": "0.7",
        },
        {
            "id": "hidden",
            "prompt": "And then?",
            "show_if": {"question": "yes_no", "is": ["Yes"]},
            "epsilon": "0.5",
        },
    ],
}
SURVEY = build_survey(DRAFT)
MECHANISMS = {question.id: question.mechanism for question in SURVEY.questions}
ANSWERS: list[dict[str, Any]] = [
    {
        **{"yes_no": 0, "one_of": 0, "long_list": 0, "boxes": [], "few_boxes": [0, 1]},
        **{"scale": 0, "scale_mean": 0, "number": 0, "spread": 0, "cross": 0, "hidden": 2},
    },
    {
        **{"yes_no": 1, "one_of": 4, "long_list": 12, "boxes": [0, 1, 2], "few_boxes": []},
        **{"scale": 4, "scale_mean": 4, "number": 40, "spread": 4, "cross": 3, "hidden": 1},
    },
]
TRUTHS: list[Steps] = [
    [
        *((0, 0, None), (1, 0, None), (2, 0, "canary-name-00"), (3, 3, None), (4, 0, None)),
        *((4, 1, None), (5, 0, None), (6, 0, None), (7, 0, "0"), (8, 0, "0")),
        *((9, 0, None), (9, 2, None)),
    ],
    [
        *((0, 1, None), (1, 4, None), (2, 0, "canary-name-12"), (3, 0, None), (3, 1, None)),
        *((3, 2, None), (4, 5, None), (5, 4, None), (6, 4, None), (7, 0, "40"), (8, 0, "4")),
        *((9, 1, None), (9, 3, None), (10, 1, None)),
    ],
]
