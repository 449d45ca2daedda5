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
    "delete_on": "2999-12-31",
    "questions": [{"id": "canary", "prompt": "Have you ever?", "epsilon": "1"}],
}
# One question of every kind and control, which between them use all seven mechanisms.
KINDS: dict[str, Any] = {
    "slug": "kinds",
    "title": "Health and habits",
    "delete_on": "2999-12-31",
    "intro": "Eight questions, each of another kind.",
    "organizer": "The study group",
    "questions": [
        {"id": "smokes", "prompt": "Do you smoke?", "epsilon": "1"},
        {
            "id": "region",
            "kind": "one_of",
            "prompt": "Where do you live?",
            "options": ["North", "East", "South", "West"],
            "decline": True,
            "epsilon": "1",
        },
        {
            "id": "name",
            "kind": "one_of",
            "prompt": "What is your first name?",
            "options": [f"Name {number:03}" for number in range(300)],
            "decline": True,
            "epsilon": "1",
            "mechanism": "hr",
        },
        {
            "id": "conditions",
            "kind": "any_of",
            "prompt": "Which of these do you have?",
            "options": ["Asthma", "Diabetes", "Migraine", "Eczema", "Hay fever", "Gout"],
            "decline": True,
            "epsilon": "1",
        },
        {
            "id": "fears",
            "kind": "any_of",
            "prompt": "What worries you most?",
            "options": ["Money", "Health", "Work", "Family", "War", "Climate", "Age", "Crime"],
            "at_most": 2,
            "epsilon": "1",
        },
        {
            "id": "trust",
            "kind": "scale",
            "prompt": "How much do you trust your doctor?",
            "lo": 0,
            "hi": 10,
            "lo_label": "not at all",
            "hi_label": "completely",
            "goal": "mean",
            "epsilon": "1",
        },
        {
            "id": "drinks",
            "kind": "number",
            "prompt": "How much wine do you drink in a month?",
            "lo": "0",
            "hi": "60",
            "step": "0.5",
            "unit": "litres",
            "goal": "distribution",
            "epsilon": "1",
        },
        {
            "id": "both",
            "kind": "cross",
            "prompt": "Two things about you",
            "row_prompt": "Are you married?",
            "column_prompt": "How often do you quarrel?",
            "columns": ["Never", "Sometimes", "Often"],
            "decline": True,
            "epsilon": "1",
        },
    ],
}
FOLLOW_UP: dict[str, Any] = {
    "slug": "follow-up",
    "title": "A question that depends on another",
    "delete_on": "2999-12-31",
    "questions": [
        {"id": "smokes", "prompt": "Do you use tobacco?", "epsilon": "1"},
        {
            "id": "kinds",
            "kind": "any_of",
            "prompt": "Which kinds?",
            "options": ["Cigarettes", "Snus", "A pipe"],
            "epsilon": "1",
            "show_if": {"question": "smokes", "is": ["Yes"]},
        },
    ],
}
SAMPLED: dict[str, Any] = {
    "slug": "sampled",
    "title": "Two of four questions",
    "delete_on": "2999-12-31",
    "ask_each_person": 2,
    "questions": [
        {"id": f"q{number}", "prompt": f"Question number {number}?", "epsilon": "1"}
        for number in range(4)
    ],
}
LONG_LIST: dict[str, Any] = {
    "slug": "long-list",
    "title": "Ten thousand names",
    "delete_on": "2999-12-31",
    "questions": [
        {
            "id": "name",
            "kind": "one_of",
            "prompt": "Who are you?",
            "options": [f"Person {number:04}" for number in range(10_000)],
            "epsilon": "2",
            "max_bits": 16384,
        }
    ],
}
# Less usual questions, with boxes that the device draws itself.
EDGES: dict[str, Any] = {
    "slug": "edges",
    "title": "Edges",
    "delete_on": "2999-12-31",
    "access": "invited",
    "questions": [
        {
            "id": "percent",
            "kind": "scale",
            "prompt": "How sure are you?",
            "lo": 0,
            "hi": 100,
            "decline": True,
            "epsilon": "1",
        },
        {
            "id": "boxes",
            "kind": "any_of",
            "prompt": "Which of these?",
            "options": ["Cats", "Dogs", "None of these"],
            "epsilon": "1",
        },
    ],
}
