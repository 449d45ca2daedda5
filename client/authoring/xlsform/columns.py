"""The columns of the three sheets: which there are, which have no effect, which are refused.

Where the standard has a column it is used; everything else is called as it is in YAML.
"""

from collections.abc import Mapping

# Columns that people read, and that may stand once per language.
TEXTS: Mapping[str, frozenset[str]] = {
    "survey": frozenset(
        "label decline not_applicable lo_label hi_label unit row_prompt column_prompt".split()
    ),
    "choices": frozenset(["label"]),
    "settings": frozenset(["form_title", "intro", "organizer"]),
}

KNOWN: Mapping[str, tuple[str, ...]] = {
    "survey": (
        *("type", "name", "label", "required", "relevant", "constraint", "parameters"),
        *("epsilon", "weight", "goal", "decline", "not_applicable", "lo_label", "hi_label"),
        *("unit", "row_prompt", "column_prompt", "mechanism", "max_bits"),
    ),
    "choices": ("list_name", "name", "label"),
    "settings": (
        *("form_title", "form_id", "default_language", "intro", "organizer", "delete_on"),
        *("epsilon", "total_epsilon", "ask_each_person", "drawn_by"),
    ),
}

# Read past, and said so: they change neither what is asked nor what is sent.
SET_ASIDE: Mapping[str, str] = {
    "appearance": "the page has one appearance for every kind",
    "style": "the page has one style",
    "version": "versions are counted at publishing",
    "instance_name": "a report has no name",
    "allow_choice_duplicates": "labels must differ",
    "required_message": "the page has its own words for that",
    "constraint_message": "the page has its own words for that",
}

REFUSED: Mapping[str, str] = {
    "hint": "there are no hints; put what people must read into the label",
    "guidance_hint": "there are no hints; put what people must read into the label",
    "default": "an answer that stands there already would be taken for the truth",
    "calculation": "nothing is calculated from answers: each is randomized by itself",
    "calculate": "nothing is calculated from answers: each is randomized by itself",
    "trigger": "nothing is calculated from answers: each is randomized by itself",
    "choice_filter": "the options must be the same for everybody, or their number would tell",
    "repeat_count": "nothing can be repeated: the number of answers would tell",
    "read_only": "what cannot be answered is no question",
    "readonly": "what cannot be answered is no question",
    "disabled": "delete the row instead",
    "image": "pages have no pictures, sounds or films",
    "audio": "pages have no pictures, sounds or films",
    "video": "pages have no pictures, sounds or films",
    "media": "pages have no pictures, sounds or films",
    "public_key": "reports are randomized on the device; there is nothing to encrypt for",
    "submission_url": "reports go to the server that the page comes from, and nowhere else",
}
_ALIASES = {"list": "list_name", "title": "form_title", "id": "form_id", "relevance": "relevant"}


def known_as(column: str) -> str:
    """A column under its usual name, with its language if it has one."""
    base, mark, language = column.partition("::")
    return f"{_ALIASES.get(base, base)}{mark}{language}"


def base_of(column: str) -> str:
    return column.partition("::")[0]
