"""Select a draft's texts in one of its languages."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from client.authoring.draft.fields import SILENCE, Form, is_switch
from client.core.primitives.refusal import Refusal


@dataclass(frozen=True)
class DraftLanguages:
    """The language of plain texts, and for each further language the first text that has it."""

    own: str
    others: Mapping[str, str] = field(default_factory=dict)

    def select(self, value: Any, language: str, form: Form, *path: str, place: str) -> Any:
        """Return a text, or each label of a list, in one language; `place` names it in messages."""
        if isinstance(value, list):
            return [self.select(label, language, form, *path, place=place) for label in value]
        if isinstance(value, dict):
            if language in value:
                return value[language]
        elif language == self.own or value == "" or (form is SILENCE and is_switch(value)):
            return value
        source = self.others.get(language, "the file")
        raise Refusal("missing_language", *path, place=place, language=language, source=source)
