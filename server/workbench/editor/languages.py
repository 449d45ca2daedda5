"""The languages that a draft's texts are written in, its own first, and adding or dropping one."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from client.authoring.draft.kinds import told_fields
from client.core.translation import CODE
from server.surveys.manuscripts import Languages, own_language, tell

Draft = dict[str, Any]


def told(texts: Sequence[str], languages: Languages) -> Any:
    """The same the other way round; with several languages every one of them stands there."""
    if not any(texts):
        return None
    return texts[0] if len(languages) == 1 else dict(zip(languages, texts, strict=True))


def languages_of(draft: Draft) -> tuple[str, ...]:
    """The plain texts' language, then every other one that any text has."""
    first = own_language(draft)
    found: dict[str, None] = {}

    def look(value: Any) -> Any:
        if isinstance(value, dict):
            found.update(dict.fromkeys(code for code in value if CODE.fullmatch(str(code))))
        return value

    _each_text(draft, look)
    return (first, *sorted(code for code in found if code != first))


def set_languages(draft: Draft, before: Languages, wish: str) -> Draft:
    """The draft with exactly these languages beside its own; new ones have no words yet."""
    others = [code for code in re.split(r"[\s,]+", wish) if CODE.fullmatch(code)]
    # The language that the plain texts had before, if no text has it now, was replaced.
    if before[0] in others and before[0] not in languages_of(draft):
        others.remove(before[0])
    after = tuple(dict.fromkeys([own_language(draft), *others]))
    return draft if set(after) == set(languages_of(draft)) else _retold(draft, after)


def in_own_language(draft: Draft) -> Draft:
    """All texts as plain ones, in the first language only."""
    return _retold(draft, (own_language(draft),))


def _retold(draft: Draft, languages: Languages) -> Draft:
    def retell(value: Any) -> Any:
        # Switches and such are the same in all languages.
        if not isinstance(value, str | dict) or value in ("true", "false"):
            return value
        return told([tell(value, code, languages) for code in languages], languages)

    return _each_text(draft, retell)


def _each_text(draft: Draft, change: Callable[[Any], Any]) -> Draft:
    """The draft with every text changed, also within lists of labels."""

    def in_part(part: Draft) -> Draft:
        changed = {name: part[name] for name in part}
        for name in told_fields() & part.keys():
            value = part[name]
            changed[name] = [change(v) for v in value] if isinstance(value, list) else change(value)
        return {name: value for name, value in changed.items() if value is not None}

    return {**in_part(draft), "questions": [in_part(item) for item in draft["questions"]]}
