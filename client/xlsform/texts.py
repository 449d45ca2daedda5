"""Texts that stand once per language, in columns such as `label::German (de)`."""

from dataclasses import dataclass
from typing import Any

from client.draft_fields import is_switch
from client.xlsform.columns import base_of
from client.xlsform.languages import language_code
from client.xlsform.sheets import Row


@dataclass(frozen=True)
class Texts:
    """The language of the columns that name none, and all languages of the workbook."""

    own: str
    languages: tuple[str, ...]

    def told(self, row: Row, column: str) -> Any:
        """As a draft has it: plain, or by language; empty where nothing is written."""
        found: dict[str, str] = {}
        for heading, text in row.cells.items():
            if base_of(heading) != column:
                continue
            named = heading.partition("::")[2]
            language = language_code(named) if named else self.own
            if language is None:
                # Said once, at the heading.
                continue
            if language in found:
                raise row.refusal(heading, f"the text stands twice in {language}")
            found[language] = text
        plain = found.get(self.own, "")
        alone = len(self.languages) == 1 or (len(found) == 1 and is_switch(plain))
        return plain if not found or alone else found

    def own_text(self, told: Any) -> str:
        """A text in the workbook's own language."""
        return str(told.get(self.own, "")) if isinstance(told, dict) else str(told)
