"""Names of fields, choices and questions for people who have never seen a survey file."""

from collections.abc import Iterable
from typing import Any

from client.authoring.draft.faults import Path
from client.authoring.draft.fields import SURVEY, Field
from client.authoring.draft.kinds import KIND_DECLARATIONS
from client.core.access import INVITED, OPEN
from client.core.groups import BY_CHOICE, BY_LINK
from client.core.kinds import DISTRIBUTION, MEAN, SHARES
from server.surveys.disclosure import LEAST_IN_GROUP
from server.surveys.manuscripts import own_language, text_in

Draft = dict[str, Any]

_LONG = 60

# Fields that are not in a survey file.
_LIFE_TITLES = {
    "respondents": "Planned respondents",
    "opens": "First day",
    "closes": "Last day",
    "closes_at": "Take no more than this many reports",
    "per_hour": "Tickets per hour",
}

# For each value in a file: its label and an explanation.
_CHOICES = {
    OPEN: (
        "Anyone with the link",
        "One link or QR code for everybody. Results are shown while reports come in. Nobody can "
        "check whether somebody answers twice, or a thousand times.",
    ),
    INVITED: (
        "Only people with a personal link",
        "You make a link for each person, good for one report and no more. What is stored does not "
        "say which report came with which link. Somebody who notes when they arrive could tell, "
        "where few people answer. Nobody sees results before the survey is closed, not even you, "
        f"and groups of fewer than {LEAST_IN_GROUP} reports are never shown separately.",
    ),
    BY_LINK: (
        "The link",
        "You give every group its own link, or each person one. The plain link takes no report.",
    ),
    BY_CHOICE: (
        "The respondent",
        "The first page asks “Which describes you?”. Everybody can prefer not to say.",
    ),
    SHARES: ("The share of each answer", ""),
    MEAN: ("The mean", ""),
    DISTRIBUTION: ("The whole distribution", ""),
}


def choices(values: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return the label and the explanation of each value."""
    return {value: _CHOICES[value] for value in values}


def kind_choices() -> dict[str, tuple[str, str]]:
    """Return the title of each kind, and an example of such a question."""
    return {name: (item.title, item.example) for name, item in KIND_DECLARATIONS.items()}


def title_of_field(name: str, field: Field) -> str:
    return field.title or name.replace("_", " ").capitalize()


def title_of_path(path: Path) -> str:
    """Return the title of the survey's field at the end of a path; '' if there is none."""
    name = str(path[-1]) if path else ""
    return title_of_field(name, SURVEY[name]) if name in SURVEY else _LIFE_TITLES.get(name, "")


def explain(field: Field) -> str:
    """Return the explanation below a field's title."""
    return field.says if field.hint is None else field.hint


def name_of_question(draft: Draft, index: int) -> str:
    """Return a question's number and its first words, if it has any."""
    own = own_language(draft)
    words = " ".join(text_in(draft["questions"][index].get("prompt"), own, [own]).split())
    short = words if len(words) <= _LONG else f"{words[: _LONG - 1].rstrip()}…"
    return f"Question {index + 1}, “{short}”" if short else f"Question {index + 1}"
