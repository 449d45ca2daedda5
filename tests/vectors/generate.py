"""Write the vectors that every client must reproduce: `python -m tests.vectors.generate`."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.vectors.assignments import assignment_vectors
from tests.vectors.channels import threshold_vectors, word_vectors
from tests.vectors.conditions import condition_vectors
from tests.vectors.documents import (
    access_vectors,
    completion_vectors,
    document_vectors,
    group_vectors,
    text_vectors,
)
from tests.vectors.languages import language_vectors
from tests.vectors.markdowns import markdown_vectors
from tests.vectors.mechanisms import mechanism_vectors
from tests.vectors.orders import order_vectors
from tests.vectors.reports import report_vectors
from tests.vectors.responses import response_vectors
from tests.vectors.tapes import Vector
from tests.vectors.tickets import rfc_vectors, ticket_vectors
from tests.vectors.wordings import wording_vectors

FOLDER = Path(__file__).parent

FILES: dict[str, Callable[[], Iterable[Vector]]] = {
    "thresholds.jsonl": threshold_vectors,
    "words.jsonl": word_vectors,
    "mechanisms.jsonl": mechanism_vectors,
    "documents.jsonl": document_vectors,
    "access.jsonl": access_vectors,
    "texts.jsonl": text_vectors,
    "groups.jsonl": group_vectors,
    "completions.jsonl": completion_vectors,
    "orders.jsonl": order_vectors,
    "reports.jsonl": report_vectors,
    "askings.jsonl": assignment_vectors,
    "rfc9474.jsonl": rfc_vectors,
    "tickets.jsonl": ticket_vectors,
    "conditions.jsonl": condition_vectors,
    "responses.jsonl": response_vectors,
    "languages.jsonl": language_vectors,
    "wording.jsonl": wording_vectors,
    "markdown.jsonl": markdown_vectors,
}


def lines(vectors: Iterable[Vector]) -> str:
    """Return one JSON object per line, in ASCII, so that no editor can change a byte of it."""
    return "".join(json.dumps(vector) + "\n" for vector in vectors)


def read(file: str) -> list[Vector]:
    """Return the vectors as they are in the tree."""
    return [json.loads(line) for line in (FOLDER / file).read_text("ascii").splitlines()]


if __name__ == "__main__":
    for file, vectors in FILES.items():
        text = lines(vectors())
        (FOLDER / file).write_text(text, "ascii")
        print(f"{file}: {text.count(chr(10))} vectors")
