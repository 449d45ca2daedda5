"""What the form calls its fields, choices and questions, for people who never saw a survey file."""

from collections.abc import Iterable
from typing import Any

from client.authoring.draft.faults import Path
from client.authoring.draft.fields import SURVEY, Field
from client.authoring.draft.kinds import KIND_DECLARATIONS
from client.core.kinds import DISTRIBUTION, MEAN, SHARES
from client.core.survey import BY_DEVICE, BY_TICKET
from server.surveys.disclosure import LEAST_IN_GROUP
from server.surveys.manuscripts import own_language, tell

Draft = dict[str, Any]

_LONG = 60

# Of the survey's life, not of its file.
_LIFE_TITLES = {
    "respondents": "Planned respondents",
    "opens": "First day",
    "closes": "Last day",
    "closes_at": "Closes at so many reports",
}

# Value in a file: what it is called, and what that means.
_CHOICES = {
    BY_TICKET: (
        "Anyone with the link",
        "One link or QR code for everybody. Results are shown while reports come in; nobody can "
        "check whether a person answers twice.",
    ),
    BY_DEVICE: (
        "Only people with a personal link",
        "You make a link for each person, good for one report. Nobody sees results before the "
        f"survey is closed, not even you, and groups under {LEAST_IN_GROUP} reports are never told "
        "apart.",
    ),
    SHARES: ("The share of each answer", ""),
    MEAN: ("The mean", ""),
    DISTRIBUTION: ("The whole distribution", ""),
}


def choices(values: Iterable[str]) -> dict[str, tuple[str, str]]:
    """What each value is called, and what that means."""
    return {value: _CHOICES[value] for value in values}


def kind_choices() -> dict[str, tuple[str, str]]:
    """What each kind is called, and a question of that kind."""
    return {name: (item.title, item.example) for name, item in KIND_DECLARATIONS.items()}


def title_of_field(name: str, field: Field) -> str:
    return field.title or name.replace("_", " ").capitalize()


def title_of_path(path: Path) -> str:
    """What the form calls the field of the survey that a path ends with; nothing for others."""
    name = str(path[-1]) if path else ""
    return title_of_field(name, SURVEY[name]) if name in SURVEY else _LIFE_TITLES.get(name, "")


def explain(field: Field) -> str:
    """What stands below the title of a field."""
    return field.says if field.hint is None else field.hint


def name_of_question(draft: Draft, index: int) -> str:
    """Its number, and its first words if it has any."""
    own = own_language(draft)
    words = " ".join(tell(draft["questions"][index].get("prompt"), own, [own]).split())
    short = words if len(words) <= _LONG else f"{words[: _LONG - 1].rstrip()}…"
    return f"Question {index + 1}, “{short}”" if short else f"Question {index + 1}"
