"""The surveys that the browser tests publish."""

from typing import Any

HABITS: dict[str, Any] = {
    "slug": "habits",
    "title": "Habits at work",
    "intro": "Three short questions.",
    "organizer": "The study group",
    "delete_on": "2031-12-31",
    "questions": [
        {"id": "asleep", "prompt": "Have you fallen asleep at work?", "epsilon": "1"},
        {"id": "blame", "prompt": "Have you let somebody else take the blame?", "epsilon": "0.5"},
        {
            "id": "quit",
            "prompt": "Do you plan to leave?",
            "epsilon": "0.5",
            "options": ["Not now", "This year"],
        },
    ],
}
ONE: dict[str, Any] = {
    "slug": "one-question",
    "title": "One question",
    "questions": [{"id": "canary", "prompt": "Have you ever?", "epsilon": "1"}],
}
