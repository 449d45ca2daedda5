"""The languages of a draft's texts, its own first, and how to add or drop one."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from client.authoring.draft.kinds import translatable_fields
from client.core.translation import CODE
from server.surveys.manuscripts import Languages, own_language, text_in
from server.workbench.editor.groups import factors_of, groups_of

Draft = dict[str, Any]


def join_texts(texts: Sequence[str], languages: Languages) -> Any:
    """Return the value for texts in these languages: a plain text, a mapping, or None."""
    if not any(texts):
        return None
    return texts[0] if len(languages) == 1 else dict(zip(languages, texts, strict=True))


def languages_of(draft: Draft) -> tuple[str, ...]:
    """Return the language of the draft's plain texts, then all others that any text has."""
    first = own_language(draft)
    found: dict[str, None] = {}

    def look(value: Any) -> Any:
        if isinstance(value, dict):
            found.update(dict.fromkeys(code for code in value if CODE.fullmatch(str(code))))
        return value

    _each_text(draft, look)
    return (first, *sorted(code for code in found if code != first))


def set_languages(draft: Draft, before: Languages, wish: str) -> Draft:
    """Return the draft with its own and exactly these languages; new ones have empty texts."""
    others = [code for code in re.split(r"[\s,]+", wish) if CODE.fullmatch(code)]
    # The draft's own language was changed: drop the old one, which no text has any more.
    if before[0] in others and before[0] not in languages_of(draft):
        others.remove(before[0])
    after = tuple(dict.fromkeys([own_language(draft), *others]))
    return draft if set(after) == set(languages_of(draft)) else _rewritten(draft, after)


def in_own_language(draft: Draft) -> Draft:
    """Return the draft with plain texts in its own language only."""
    return _rewritten(draft, (own_language(draft),))


def _rewritten(draft: Draft, languages: Languages) -> Draft:
    def rewrite(value: Any) -> Any:
        # Switches are the same in all languages.
        if not isinstance(value, str | dict) or value in ("true", "false"):
            return value
        return join_texts([text_in(value, code, languages) for code in languages], languages)

    return _each_text(draft, rewrite)


def _each_text(draft: Draft, change: Callable[[Any], Any]) -> Draft:
    """Return the draft with `change` applied to every text, also within lists of labels."""

    def in_part(part: Draft) -> Draft:
        changed = {name: part[name] for name in part}
        for name in translatable_fields() & part.keys():
            value = part[name]
            changed[name] = [change(v) for v in value] if isinstance(value, list) else change(value)
        return {name: value for name, value in changed.items() if value is not None}

    changed = {**in_part(draft), "questions": [in_part(item) for item in draft["questions"]]}
    if factors := factors_of(draft):
        changed["groups"] = {**groups_of(draft), "factors": [in_part(item) for item in factors]}
    return changed
