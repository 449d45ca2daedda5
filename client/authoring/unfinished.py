"""Warn of texts that look unfinished: placeholders, and links that will not work."""

import re
from collections.abc import Iterator

from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from client.core.translation import TEXT_RULES
from client.wording.markdown import parse_markdown

# Something in brackets, perhaps with an address; a line to write on; a word that authors leave.
_SUSPECT = re.compile(r"\[([^\[\]]*)\](\([^()\s]*\)?)?|_{3,}|\b(?:TODO|TBD|FIXME|XXX+)\b")


def unfinished_texts(survey: Survey) -> Iterator[Refusal]:
    """Yield a warning for each of the survey's own texts that looks unfinished."""
    for language in survey.languages:
        localized = survey.in_language(language)
        for field in TEXT_RULES:
            for warning in _about(getattr(localized, field), field):
                if len(survey.languages) > 1:
                    warning.path, warning.names = (field, language), (language,)
                yield warning


def _about(text: str, field: str) -> Iterator[Refusal]:
    links, placeholders = [], []
    for line in (line for block in parse_markdown(text) for line in block.lines):
        # Links that work are left out.
        shown = " ".join(run.text for run in line if not run.href)
        for found in _SUSPECT.finditer(shown):
            if found[2]:
                links.append(found[0])
            # A number in brackets refers to a note.
            elif found[1] is None or not found[1].strip().isdecimal():
                placeholders.append(found[0])
    if placeholders:
        yield Refusal("placeholder", field, found=placeholders)
    if links:
        yield Refusal("link_as_text", field, found=links)
