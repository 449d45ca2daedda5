"""Texts in several languages in a survey file, as in `prompt: {en: How old?, de: Wie alt?}`.

A plain text is in the language of the file. Every language that one text has, all must have: a
survey that falls back to another language in its middle would not be understood.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from client.draft_fields import Fields, is_switch
from client.kinds import KINDS, Kind
from client.languages import CODE, check_language
from client.refusal import Refusal

TEXTS = frozenset(
    ["title", "intro", "organizer", "prompt"]
    + [name for kind in KINDS.values() for name in kind.text_fields]
)


@dataclass(frozen=True)
class DraftLanguages:
    """The language of the file, and for each further one the first text that has it."""

    own: str
    others: dict[str, str]

    @classmethod
    def of(cls, own: object, parts: Sequence[Fields]) -> "DraftLanguages":
        check_language(own)
        found: dict[str, str] = {}
        for place, language in _maps(parts):
            if not isinstance(language, str) or not CODE.fullmatch(language):
                raise Refusal(
                    "bad_language",
                    f"{place} has {str(language)[:40]!r}, which is no language such as en or pt-BR",
                    place,
                )
            found.setdefault(language, place)
        return cls(str(own), {name: found[name] for name in sorted(found) if name != own})

    def tell(self, fields: Fields, language: str) -> Fields:
        """The same fields with every text in one language."""
        values = {
            name: self._told(value, language, _place(fields, name), name)
            if name in TEXTS
            else value
            for name, value in fields.values.items()
        }
        return Fields(values, fields.where, fields.declared, language)

    def _told(self, value: Any, language: str, place: str, name: str) -> Any:
        if isinstance(value, list):
            return [self._told(label, language, place, name) for label in value]
        if isinstance(value, dict):
            if language in value:
                return value[language]
        elif language == self.own or (name in Kind.text_fields and is_switch(value)) or value == "":
            return value
        where = self.others.get(language, "the file")
        raise Refusal(
            "missing_language", f"{place} lacks the language {language!r}, which {where} has", place
        )


def _maps(parts: Sequence[Fields]) -> Iterator[tuple[str, object]]:
    """Where a text stands in several languages, and in which."""
    for fields in parts:
        for name in sorted(TEXTS & fields.values.keys()):
            value = fields.values[name]
            for text in value if isinstance(value, list) else [value]:
                for language in text if isinstance(text, dict) else []:
                    yield _place(fields, name), language


def _place(fields: Fields, name: str) -> str:
    return f"{fields.values['id']}.{name}" if "id" in fields.values else name
