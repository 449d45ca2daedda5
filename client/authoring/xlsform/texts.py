"""Texts that are given once per language, in columns such as `label::German (de)`."""

import re
from dataclasses import dataclass
from typing import Any

from client.authoring.draft.fields import is_switch
from client.authoring.xlsform.columns import base_of
from client.authoring.xlsform.sheets import Row
from client.core.primitives.refusal import Refusal
from client.core.translation import CODE

_NAMES = {
    **{"am": "Amharic", "ar": "Arabic", "bn": "Bengali", "cs": "Czech", "da": "Danish"},
    **{"de": "German", "el": "Greek", "en": "English", "es": "Spanish", "fa": "Persian"},
    **{"fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi", "hu": "Hungarian"},
    **{"id": "Indonesian", "it": "Italian", "ja": "Japanese", "ko": "Korean", "ku": "Kurdish"},
    **{"my": "Burmese", "ne": "Nepali", "nl": "Dutch", "no": "Norwegian", "pl": "Polish"},
    **{"ps": "Pashto", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "so": "Somali"},
    **{"sv": "Swedish", "sw": "Swahili", "ta": "Tamil", "th": "Thai", "tr": "Turkish"},
    **{"uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese", "zh": "Chinese"},
}
_CODES = {name.lower(): code for code, name in _NAMES.items()}
_WITH_CODE = re.compile(r".*\(\s*([A-Za-z0-9-]+)\s*\)")


def language_name(code: str) -> str:
    """Return a language as headings name it, such as `German (de)`."""
    return f"{_NAMES.get(code, code)} ({code})"


def language_code(name: str) -> str | None:
    """Return the code of `German (de)`, `de` or `German`; None if it is unknown."""
    with_code = _WITH_CODE.fullmatch(name.strip())
    plain = with_code[1] if with_code else name.strip()
    return plain if CODE.fullmatch(plain) else _CODES.get(plain.lower())


@dataclass(frozen=True)
class Texts:
    """The language of columns that name none, and all languages of the workbook."""

    own: str
    languages: tuple[str, ...]

    def read(self, row: Row, column: str) -> Any:
        """Return a text as a draft has it: plain, or by language; "" if nothing is written."""
        found: dict[str, str] = {}
        for heading, text in row.cells.items():
            if base_of(heading) != column:
                continue
            named = heading.partition("::")[2]
            language = language_code(named) if named else self.own
            if language is None:
                # The heading's fault has been reported.
                continue
            if language in found:
                raise row.placed(Refusal("bad_workbook.text_twice", heading, language=language))
            found[language] = text
        plain = found.get(self.own, "")
        alone = len(self.languages) == 1 or (len(found) == 1 and is_switch(plain))
        return plain if not found or alone else found

    def own_text(self, text: Any) -> str:
        """Return a text in the workbook's own language."""
        return str(text.get(self.own, "")) if isinstance(text, dict) else str(text)
