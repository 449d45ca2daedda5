"""Surveys that are still being written: a draft as the text that the office keeps, and back."""

from typing import Any

from client import strict
from client.document import MAX_DEPTH, MAX_DOCUMENT_BYTES
from client.refusal import Refusal, require
from server.store import Manuscript

Draft = dict[str, Any]


def content_of(draft: Draft) -> str:
    content = strict.canonical(draft)
    require(
        len(content) <= MAX_DOCUMENT_BYTES,
        "too_large",
        f"a survey must be at most {MAX_DOCUMENT_BYTES} bytes",
        "draft",
    )
    return content.decode()


def draft_of(manuscript: Manuscript) -> Draft:
    content = manuscript.content.encode()
    draft = strict.parse(content, MAX_DOCUMENT_BYTES, "draft", MAX_DEPTH)
    if not isinstance(draft, dict):
        raise Refusal("not_a_mapping", "a draft must be a JSON object", "draft")
    return draft
