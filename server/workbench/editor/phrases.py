"""What is wrong, in the words of the form: the one place that turns a file's sentences into them.

A sentence of the linter begins with the id of a question and the name of a field, both of which
the form calls by its own names; and it speaks of other fields and of how files are written.
"""

import re
from collections.abc import Callable

from client.core.mechanisms import MECHANISMS
from client.core.primitives.refusal import Refusal
from server.workbench.editor.naming import TITLES

FILL_IN = "please fill this in"
# What an author wrote, as Python writes it.
_QUOTED = r"""('[^']*'|"[^"]*"|'.*'|".*")"""
Words = str | Callable[[re.Match[str]], str]


def _labels(found: re.Match[str]) -> str:
    low, high, got = (int(number) for number in found.groups())
    if low == high:
        return f"exactly {low} are needed, got {got:,}"
    rule = f"at least {low} are needed" if got < low else f"at most {high:,} are possible"
    return f"{rule}, got {got:,}"


def _randomizers(found: re.Match[str]) -> str:
    names = [MECHANISMS[name].title for name in found[1].split(" or ") if name in MECHANISMS]
    return f"does not suit this question; {' or '.join(names)} would"


def _per_person(found: re.Match[str]) -> str:
    return f"{found[1]} question{'' if found[1] == '1' else 's'} per person"


def _shortage(found: re.Match[str]) -> str:
    given, margin, questions, helps = found.groups()
    remedies = re.sub(r"ask_each_person: (\d+)", _per_person, helps)
    return (
        f"{given} are too few for margins of {margin} percentage points in {questions} questions. "
        f"What helps: {remedies}"
    )


# What files say, once the question and the field are taken away, and what the form says.
_PHRASES: tuple[tuple[str, Words], ...] = (
    (r"needs the field '(?:question|is)'", "choose an earlier question and some of its options"),
    (r"needs (?:the field|an epsilon).*", FILL_IN),
    (r"must not be empty", FILL_IN),
    (r"must be a list of (\d+) to (\d+) labels, got (\d+)", _labels),
    (r"(?:options )?must be different labels, but one stands twice", "two have the same label"),
    (rf"must be different labels, but {_QUOTED} stands twice", r"the label \1 stands twice"),
    (rf"the label {_QUOTED} has spaces around it, or is YAML for nothing", r"\1 cannot be a label"),
    (r"of a yes_no question have the one for no first.*", "the label for no comes first"),
    (r"must be from 1 to \d+, or 0 for all questions", "must be fewer than there are questions"),
    (r"must be above lo\b", "must be above the lowest"),
    (
        r"(?:a )?question with the goal \w+ has no option for silence.*",
        "“Prefer not to say” and “Does not apply” cannot be offered with it; offer neither, or ask "
        "for the share of each answer, or let people choose among bands",
    ),
    (
        r"(?:a )?question that can be hidden needs the option not_applicable",
        "must be offered, because the question can be hidden",
    ),
    (rf"names {_QUOTED}, no earlier question", "the question it hangs on does not come earlier"),
    (rf"\S* ?has no option {_QUOTED}", r"the earlier question has no option \1"),
    (r"must name at least one option", "tick at least one of its options"),
    (
        r"must name options of an earlier question that everybody is asked and that has one answer",
        "choose an earlier question that has one answer, and some of its options; and everybody "
        "must be asked all questions",
    ),
    (r"must be a mapping of fields", "cannot be read; please choose again"),
    (r"give either total_epsilon.*", "each question has an epsilon, too; choose one way"),
    (
        r"has no meaning unless the survey has a total_epsilon",
        "means something only where one total is shared; please empty it",
    ),
    (
        r"(\S+) leaves (\S+) for .*, less than (\S+); ask each person fewer questions",
        r"\1 leaves \2 for a question, less than \3; raise it, or ask each person fewer questions",
    ),
    (
        rf"must be (?:one of yes_no|shares|mean|ticket)\b.*, got {_QUOTED}",
        r"\1 is unknown; please choose",
    ),
    (rf"has a field {_QUOTED}; the known ones are.*", r"\1 is not known here and has no meaning"),
    (rf"lacks the language {_QUOTED}, which .* has", r"please write it in \1, too"),
    (
        r"must have as many texts as in the survey's own language",
        "please fill this in, with as many lines as in the first language",
    ),
    (
        r"must be there exactly where the survey's own language has it",
        "must be there in all languages or in none",
    ),
    (
        rf"there is no usual label for \S+ in {_QUOTED}, please write one",
        r"there is no usual label in \1; please write one",
    ),
    (rf"the id {_QUOTED} stands twice", r"two questions have the name \1"),
    (
        r"no day is given.*|is missing: a survey is published with.*",
        "please choose a day; respondents are told it before they answer",
    ),
    (
        r"leaves no room for 'Prefer not to say'",
        "is not offered; who does not want to answer can only leave",
    ),
    (r"(.*); choose another slug", r"\1; choose another name"),
    (
        r"(\S+) respondents are too few for margins of (\d+)% "
        r"\(questions: (.*)\); what helps: (.*)",
        _shortage,
    ),
    (r"must not come before opens", "must not come before the first day"),
)


def in_form_words(message: str, id: str, field: str) -> str:
    """The sentence without the question and the field that it is about."""
    # A question is called by its id or, where it has none, by its place.
    places = "|".join(re.escape(name) for name in (id, "survey") if name)
    text = re.sub(rf"^(?:(?:{places}|questions\[\d+\])?(?:: |\.| ))?", "", message, count=1)
    text = re.sub(r"^questions\[\d+\](?:: | )", "", text)
    if field:
        text = re.sub(rf"^{re.escape(field)}(?:: | )", "", text)
    if field == "mechanism":
        return re.sub(rf"must be (.*), got {_QUOTED}", _randomizers, text)
    for phrase, words in _PHRASES:
        # From the beginning: further on an author may be quoted.
        text, count = re.subn(rf"^(?:{phrase})", words, text, count=1)
        if count:
            break
    return text


def reason_of(refusal: Refusal) -> str:
    """Why something was not done, with the title of the field if it is about one."""
    field = refusal.field or ""
    words = in_form_words(refusal.message, "", field)
    if field in TITLES:
        return f"{TITLES[field]}: {words}."
    return f"{words[:1].upper()}{words[1:].rstrip('.')}."
