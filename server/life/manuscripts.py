"""Surveys that are still being written: a draft as the text that the office keeps, and back."""

from typing import Any

from client.core.document import MAX_DEPTH, MAX_DOCUMENT_BYTES
from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal, require
from server.store import Manuscript

Draft = dict[str, Any]


def content_of(draft: Draft) -> str:
    """Refused if it could not be read again: one manuscript must not spoil everybody's list."""
    content = canonical.canonical(draft)
    require(
        len(content) <= MAX_DOCUMENT_BYTES,
        "too_large",
        f"a survey must be at most {MAX_DOCUMENT_BYTES} bytes",
        "draft",
    )
    _read(content)
    return content.decode()


def draft_of(manuscript: Manuscript) -> Draft:
    return _read(manuscript.content.encode())


def _read(content: bytes) -> Draft:
    draft = canonical.parse(content, MAX_DOCUMENT_BYTES, "draft", MAX_DEPTH)
    if not isinstance(draft, dict):
        raise Refusal("not_a_mapping", "a draft must be a JSON object", "draft")
    return draft
