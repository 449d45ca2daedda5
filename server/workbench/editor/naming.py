"""What the form calls its fields, choices and questions, for people who never saw a survey file."""

from typing import Any

from client.authoring.draft.fields import Field
from client.core.kinds import DISTRIBUTION, KINDS, MEAN, SHARES
from client.core.survey import BY_DEVICE, BY_TICKET
from server.surveys.disclosure import LEAST_IN_GROUP
from server.surveys.manuscripts import own_language, tell

Draft = dict[str, Any]

_LONG = 60

TITLES = {
    "slug": "Name in links",
    "intro": "Introduction",
    "delete_on": "Deletion day",
    "language": "First language",
    "total_epsilon": "Total epsilon",
    "ask_each_person": "Questions per person",
    "drawn_by": "Who may take part",
    "id": "Name in tables",
    "prompt": "Question text",
    "mechanism": "Randomizer",
    "max_bits": "Most bits",
    "show_if": "Condition",
    "decline": "“Prefer not to say”",
    "not_applicable": "“Does not apply”",
    "at_most": "Most ticks",
    "lo": "Lowest",
    "hi": "Highest",
    "lo_label": "Lowest means",
    "hi_label": "Highest means",
    "goal": "What is estimated",
    "row_prompt": "First of the two questions",
    "rows": "Options of the first",
    "column_prompt": "Second of the two questions",
    "columns": "Options of the second",
    # Of the survey's life, not of its file.
    "respondents": "Planned respondents",
    "opens": "First day",
    "closes": "Last day",
    "closes_at": "Closes at so many reports",
}

# Where the form says more than a file needs to, or the same in other words.
_SAYS = {
    "title": "",
    "drawn_by": "",
    "kind": "",
    "decline": "",
    "not_applicable": "",
    "goal": "",
    "delete_on": "On this day all reports are deleted. Respondents are told; choose it with care.",
    "language": "The code of the language in which you write, such as en.",
    "total_epsilon": "How much one person's report may reveal at most, shared by the questions. "
    "Up to 1 is strong protection, up to 2 good, up to 4 moderate, above weak.",
    "ask_each_person": "Empty for all. With fewer, each is asked of fewer people and says more.",
    "weight": "How much its precision matters beside the others.",
    "max_bits": "How long its part of a report may be.",
    "mechanism": "",
    "show_if": "Ask it only after certain answers to an earlier question. The device decides, and "
    "where the question is not shown it answers “Does not apply”: nobody else can tell.",
}
_SAYS_OF_YES_NO = "Empty for No and Yes; otherwise the label for no first."

_EXAMPLES = {
    "yes_no": "Do you smoke?",
    "one_of": "Which party would you vote for?",
    "any_of": "Which of these have you tried?",
    "scale": "How content are you, from 0 to 10?",
    "number": "How many drinks did you have last week?",
    "cross": "Do you smoke? By: do you drink?",
}
# Value in a file: what it is called, and what that means.
CHOICES = {
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
    **{name: (kind.title, _EXAMPLES[name]) for name, kind in KINDS.items()},
    SHARES: ("The share of each answer", ""),
    MEAN: ("The mean", ""),
    DISTRIBUTION: ("The whole distribution", ""),
}


def title_of_field(name: str) -> str:
    return TITLES.get(name, name.replace("_", " ").capitalize())


def explain(name: str, field: Field) -> str:
    """What stands below the title of a field."""
    if name == "options" and not field.required:
        return _SAYS_OF_YES_NO
    return _SAYS.get(name, field.says)


def name_of_question(draft: Draft, index: int) -> str:
    """Its number, and its first words if it has any."""
    own = own_language(draft)
    words = " ".join(tell(draft["questions"][index].get("prompt"), own, [own]).split())
    short = words if len(words) <= _LONG else f"{words[: _LONG - 1].rstrip()}…"
    return f"Question {index + 1}, “{short}”" if short else f"Question {index + 1}"
