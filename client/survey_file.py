"""A path to a survey, published or still a draft, becomes a `Survey`."""

import json
from pathlib import Path

from client.document import read_document
from client.draft import build_survey, read_draft
from client.refusal import Refusal
from client.survey import Survey


def load_survey(path: Path) -> Survey:
    """A published document is verified as a client would; a survey file is built."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Refusal("unreadable", f"{path} cannot be read: {error.strerror}", str(path)) from None
    return read_document(data) if _is_document(data) else build_survey(read_draft(path))


def _is_document(data: bytes) -> bool:
    """Only a published document says which format it has. Whether it is sound is asked later."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "candor" in value
