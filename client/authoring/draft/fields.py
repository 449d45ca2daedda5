"""The fields of a survey file, each declared once for everything that reads or shows them.

The reader accepts only declared fields, the schema publishes them, the editor builds its controls
from them, and XLSForm finds its columns here. `kinds.py` declares the fields that each kind adds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from client.authoring.draft.mechanism_choice import DEFAULT_MAX_BITS
from client.core.access import INVITED, OPEN
from client.core.completion import NO_PANEL
from client.core.groups import BY_CHOICE, BY_LINK, MAX_LEVELS, MIN_LEVELS
from client.core.translation import DEFAULT

REQUIRED = object()
# Stands for the labels No and Yes in the survey's language.
NO_AND_YES = object()


@dataclass(frozen=True)
class Form:
    """How a field is written: one of the forms that `schema.py` defines, with its limits."""

    name: str
    low: int = 0
    high: int = 0
    values: tuple[str, ...] = ()
    # Whether people read the field, so that it can be given in several languages.
    is_translatable: bool = False


SLUG, ID, DAY, LANGUAGE = Form("slug"), Form("id"), Form("day"), Form("language")
TEXT, ANY_TEXT = Form("text", is_translatable=True), Form("any_text", is_translatable=True)
PAGE_TEXT = Form("page_text", is_translatable=True)
SILENCE = Form("silence", is_translatable=True)
WHOLE, DECIMAL, EPSILON = Form("whole"), Form("decimal"), Form("epsilon")
NAME, KIND, QUESTIONS = Form("name"), Form("kind"), Form("questions")
SHOW_IF, ONE_OR_MORE = Form("show_if"), Form("one_or_more")
FLAG, ANCHORED = Form("flag"), Form("anchored")
# Parts that have fields of their own.
PARTS = frozenset(["questions", "groups", "factors"])
COMPLETION, CODE = Form("completion"), Form("code")
ADDRESS, NAMES, BY_GROUP = Form("address"), Form("names"), Form("by_group")


def is_switch(value: object) -> bool:
    """Return whether the value only switches an option for silence on or off."""
    return is_switched_on(value) or _word(value) in ("false", "no", "off", "")


def is_switched_on(value: object) -> bool:
    return _word(value) in ("true", "yes", "on")


def _word(value: object) -> str | None:
    return str(value).lower() if isinstance(value, str | bool) else None


def labels(low: int, high: int) -> Form:
    return Form("labels", low=low, high=high, is_translatable=True)


def one_of(*values: str) -> Form:
    return Form("one_of", values=values)


@dataclass(frozen=True)
class Field:
    """One field: how it is written, what it is for, its default, and a valid example."""

    form: Form
    says: str
    default: Any = REQUIRED
    example: Any = ""
    # The label and the hint in forms, if they differ from the name and `says`.
    title: str = ""
    hint: str | None = None
    # The column of an XLSForm that holds it, if that has another name.
    column: str = ""

    @property
    def required(self) -> bool:
        return self.default is REQUIRED

    @property
    def stand_in(self) -> Any:
        """A valid value to use in place of an invalid one."""
        return self.example if self.required else self.default


Declared = Mapping[str, Field]

SURVEY: Declared = {
    "slug": Field(
        SLUG,
        "The name in links: lower-case letters, digits, hyphens.",
        example="s",
        title="Name in links",
        column="form_id",
    ),
    "title": Field(TEXT, "What the survey is called.", example="?", hint="", column="form_title"),
    "intro": Field(ANY_TEXT, "A few words before the first question.", "", title="Introduction"),
    "organizer": Field(ANY_TEXT, "Who asks.", ""),
    "consent": Field(
        PAGE_TEXT,
        "What people agree to before the first question, in a small part of Markdown.",
        "",
        title="Consent page",
        hint="Shown first. Nobody can begin without “I agree”, which stays on the device. "
        "Headings (# …), lists (- …), **bold**, *emphasis* and [links](https://…) are shown as "
        "such.",
    ),
    "closing": Field(
        PAGE_TEXT,
        "What people read after sending, such as helplines, in a small part of Markdown.",
        "",
        title="Closing page",
        hint="Shown after sending: a debriefing, or whom to call. Written like the consent page.",
    ),
    "contact": Field(ANY_TEXT, "Whom people can ask about the study.", ""),
    "ethics_reference": Field(ANY_TEXT, "Which board reviewed the study, and its number.", ""),
    "delete_on": Field(
        DAY,
        "The day on which the reports are deleted.",
        "",
        title="Deletion day",
        hint="On this day all reports are deleted. Respondents are told; choose it with care.",
    ),
    "language": Field(
        LANGUAGE,
        "The language of the plain texts.",
        DEFAULT,
        title="First language",
        hint="The code of the language in which you write, such as en.",
        column="default_language",
    ),
    "epsilon": Field(EPSILON, "For every question that has none of its own.", None, "1"),
    "total_epsilon": Field(
        EPSILON,
        "For one person; split among the questions by their weights.",
        None,
        "2",
        hint="How much one person's report may reveal at most, shared by the questions. "
        "Up to 1 is strong protection, up to 2 good, up to 4 moderate, above weak.",
    ),
    "ask_each_person": Field(
        WHOLE,
        "How many of the questions each person is asked.",
        0,
        title="Questions per person",
        hint="Empty for all. With fewer, each is asked of fewer people and says more.",
    ),
    "access": Field(
        one_of(OPEN, INVITED),
        "Who may take part: open to all who have the link, or invited by a personal link.",
        OPEN,
        title="Who may take part",
        hint="",
    ),
    "answer_from": Field(
        DAY,
        "Tickets are given only before this day, and answers taken only from it on.",
        None,
        title="First day of answers",
        hint="With personal links only. People collect a ticket before this day and answer from it "
        "on, so that no clock tells whose answers they are.",
    ),
    "shuffle": Field(
        FLAG,
        "true asks the questions of each section in random order.",
        False,
        title="Order of the questions",
        hint="A question with a condition, or that decides about another one, stays in its place.",
    ),
    "groups": Field(
        Form("groups"),
        "Factors with coarse levels that are sent as they are, so that groups can be compared.",
        None,
    ),
    "completion": Field(
        COMPLETION,
        "What a panel asks for after sending: a code, a link, or both; the same for everybody.",
        NO_PANEL,
        title="Code and link for a panel",
        hint="Shown after sending, the same for everybody, so that it tells nobody's answers. The "
        "panel still learns who took part, and when.",
    ),
    "questions": Field(QUESTIONS, "1 to 100 questions, in their order."),
}

GROUPS: Declared = {
    "by": Field(
        one_of(BY_LINK, BY_CHOICE),
        "Who says which level somebody has: the link, or the respondent.",
        title="Who sets the group",
        hint="",
    ),
    "factors": Field(Form("factors"), "1 to 4 factors; their levels make at most 50 groups."),
}

FACTOR: Declared = {
    "id": Field(ID, "The factor's name in tables.", title="Name in tables", column="name"),
    "prompt": Field(
        TEXT, "What is asked, or what the levels are about.", title="What it is", column="label"
    ),
    "levels": Field(labels(MIN_LEVELS, MAX_LEVELS), "2 to 9 levels, as coarse as possible."),
    "decline": Field(
        SILENCE,
        "Another label for 'Prefer not to say', which by: choice always has.",
        "",
        title="“Prefer not to say”",
    ),
}

EVERY_QUESTION: Declared = {
    "id": Field(
        ID, "The question's name in reports and tables.", title="Name in tables", column="name"
    ),
    "heading": Field(
        ANY_TEXT,
        "The heading of a section that begins with this question.",
        "",
        title="Section heading",
        hint="A new section begins with this question, under this heading.",
    ),
    "prompt": Field(TEXT, "What is asked.", example="?", title="Question text", column="label"),
    "hint": Field(ANY_TEXT, "A few words below the question text.", ""),
    "kind": Field(
        KIND,
        "What can be answered; yes_no unless it says otherwise.",
        "yes_no",
        hint="",
        column="type",
    ),
    "epsilon": Field(EPSILON, "How much the question may reveal, at most.", None, "1"),
    "weight": Field(
        DECIMAL,
        "How much its precision matters; with total_epsilon only.",
        "1",
        hint="How much its precision matters beside the others.",
    ),
    "mechanism": Field(
        NAME, "Another randomizer than the rule would choose.", None, title="Randomizer", hint=""
    ),
    "max_bits": Field(
        WHOLE, "How long its part of a report may be.", DEFAULT_MAX_BITS, title="Most bits"
    ),
    "show_if": Field(
        SHOW_IF,
        "Ask only after certain answers to earlier questions.",
        None,
        title="Condition",
        hint="Ask it only after certain answers to earlier questions. The device decides, and "
        "where the question is not shown it answers “Does not apply”: nobody else can tell.",
        column="relevant",
    ),
    "decline": Field(
        SILENCE,
        "true, or a label, adds 'Prefer not to say'.",
        "",
        title="“Prefer not to say”",
        hint="",
    ),
    "not_applicable": Field(
        SILENCE,
        "true, or a label, adds 'Does not apply'.",
        "",
        title="“Does not apply”",
        hint="",
    ),
}

# The fields of a question whose options can be shown in any order, or from high to low.
SHUFFLE: Declared = {
    "shuffle": Field(
        FLAG,
        "true shows the options in random order.",
        False,
        title="Order of the options",
        hint="Each device draws an order and forgets it. “Prefer not to say” stays last.",
        column="parameters",
    ),
}
ORDER: Declared = {
    **SHUFFLE,
    "anchored": Field(
        ANCHORED,
        "The labels of options that stay in their place even so, such as Other.",
        (),
        title="Options that stay in place",
        hint="Such as “Other”, if it is to stay last in a random order.",
    ),
}
REVERSE: Declared = {
    "reverse": Field(
        FLAG,
        "true shows the scale from high to low to half of the people.",
        False,
        title="Direction of the scale",
        hint="",
    ),
}

# The two forms of a condition: options of an earlier question, or its numbers.
DECIDER = {"question": Field(ID, "The id of an earlier question.")}
IS_OPTION: Declared = {
    **DECIDER,
    "is": Field(ONE_OR_MORE, "One or more of its options, by label."),
}
IS_BETWEEN: Declared = {
    **DECIDER,
    "from": Field(DECIMAL, "The least number.", None),
    "to": Field(DECIMAL, "The greatest number.", None),
}

GROUP_COMPLETION_FIELDS: Declared = {
    "code": Field(CODE, "The code that everybody is shown after sending.", ""),
    "redirect": Field(ADDRESS, "Where the link after sending leads: an https:// address.", ""),
}

COMPLETION_FIELDS: Declared = {
    **GROUP_COMPLETION_FIELDS,
    "pass_on": Field(NAMES, "The parameters of the survey's link that this link takes along.", ()),
    "by_group": Field(BY_GROUP, "What the people of a group get instead, by its label.", ()),
}
