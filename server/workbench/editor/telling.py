"""A text of a draft in one of its languages, and the texts of all of them as one again."""

from collections.abc import Sequence
from typing import Any

from client.core.translation import CODE, DEFAULT

Languages = Sequence[str]


def own_language(draft: dict[str, Any]) -> str:
    """That of plain texts."""
    own = draft.get("language")
    return own if isinstance(own, str) and CODE.fullmatch(own) else DEFAULT


def tell(value: Any, language: str, languages: Languages) -> str:
    """A text in one language; a plain one is in the first."""
    if isinstance(value, dict):
        return str(value.get(language, ""))
    return "" if value is None or language != languages[0] else str(value)


def told(texts: Sequence[str], languages: Languages) -> Any:
    """The same the other way round; with several languages every one of them stands there."""
    if not any(texts):
        return None
    return texts[0] if len(languages) == 1 else dict(zip(languages, texts, strict=True))
