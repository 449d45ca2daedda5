"""Surveys that are still being written: a draft as the text that the store keeps, and back."""

from collections.abc import Sequence
from typing import Any

from client.core.document import MAX_DEPTH, MAX_DOCUMENT_BYTES
from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal, require
from client.core.translation import CODE, DEFAULT
from server.surveys.researchers import Manuscript

MOST_RESPONDENTS = 10**9

Draft = dict[str, Any]
Languages = Sequence[str]


def content_of(draft: Draft) -> str:
    """Write a draft as text; raise if it could not be read again."""
    content = canonical.canonical(draft)
    require(len(content) <= MAX_DOCUMENT_BYTES, "too_large", "draft", most=MAX_DOCUMENT_BYTES)
    _read(content)
    return content.decode()


def draft_of(manuscript: Manuscript) -> Draft:
    return _read(manuscript.content.encode())


def _read(content: bytes) -> Draft:
    draft = canonical.parse(content, MAX_DOCUMENT_BYTES, "draft", MAX_DEPTH)
    if not isinstance(draft, dict):
        raise Refusal("not_a_mapping.body", "draft")
    return draft


def own_language(draft: Draft) -> str:
    """Return the language of a draft's plain texts."""
    own = draft.get("language")
    return own if isinstance(own, str) and CODE.fullmatch(own) else DEFAULT


def text_in(value: Any, language: str, languages: Languages) -> str:
    """Return a text in one language; a plain text is in the first language."""
    if isinstance(value, dict):
        return str(value.get(language, ""))
    return "" if value is None or language != languages[0] else str(value)


def title_of(draft: Draft) -> str:
    """Return the title in the draft's own language, whatever else the draft holds."""
    own = own_language(draft)
    return text_in(draft.get("title"), own, [own]) or "Untitled"


def check_respondents(respondents: int | None) -> None:
    """Raise if a survey cannot be planned for so many people."""
    require(
        respondents is None or 1 <= respondents <= MOST_RESPONDENTS,
        "bad_respondents",
        "respondents",
        most=MOST_RESPONDENTS,
        respondents=respondents,
    )
