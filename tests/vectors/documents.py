"""Vectors of the survey document: good ones with fingerprints, bad ones named after their fault."""

import base64
import hashlib
from collections.abc import Iterator

from client.core.document import read_document
from tests.vectors.document_access import access_faults, good_access
from tests.vectors.document_completions import (
    completion_faults,
    good_completions,
    link_vectors,
)
from tests.vectors.document_faults import BAD, raw_faults
from tests.vectors.document_groups import good_groups, group_faults
from tests.vectors.document_kind_faults import kind_faults
from tests.vectors.document_kinds import good_kinds
from tests.vectors.document_languages import good_languages, language_faults
from tests.vectors.document_mechanism_faults import mechanism_faults
from tests.vectors.document_parts import (
    Change,
    Tree,
    ask,
    at,
    canonical,
    changed,
    question_setting,
    setting,
    thresholding,
)
from tests.vectors.document_texts import good_texts, text_faults
from tests.vectors.tapes import Vector

GOOD: dict[str, Change] = {
    "plain": lambda tree: None,
    "all_fields": lambda tree: tree.update(
        intro="Two lines\nof text", organizer="A university", delete_on="2027-06-30", version=7
    ),
    "two_questions_exact_decimal_sum": lambda tree: (
        at("0.1", 2254768441)(tree),
        ask(tree, "q2", "0.2", 2361519036, "0.3"),
    ),
    "epsilon_4.41481_threshold_not_rounded_up": at("4.41481", 4243632697),
    "smallest_epsilon": at("0.01", 2158220976),
    "largest_epsilon": at("10", 4294772313),
    "threshold_below_the_best_but_above_99.9_percent": thresholding(3139872686 - 800_000),
    "test": setting("test", True),
    "text_beyond_ascii": setting("title", "Ærlighed, 誠実, שלום, 🙂"),
    "text_with_marks_of_its_direction": setting("title", "\u200fمرحبا\u200e (a)\u061c"),
    "text_with_quotes_and_backslashes": setting("title", 'Say "yes" \\ "no" / </script>'),
    "text_with_line_separators": setting("title", "one\u2028two\u2029three"),
    "longest_text": setting("title", "x" * 2000),
    "longest_text_counts_characters_not_utf16_units": setting("title", "🙂" * 2000),
    "longest_slug": setting("slug", "a" * 63),
    "longest_id": question_setting("id", "a" * 32),
    "other_labels": question_setting("options", ["Never", "At least once"]),
}


def document_vectors() -> Iterator[Vector]:
    for name, change in GOOD.items():
        yield good(f"document_good_{name}", changed(change))
    for name, tree in (*good_kinds(), *good_languages()):
        yield good(f"document_good_{name}", canonical(tree))
    for name, (change, code) in BAD.items():
        yield {"name": f"document_bad_{name}", **as_field(changed(change)), "refused": code}
    for name, tree, code in (*mechanism_faults(), *kind_faults(), *language_faults()):
        yield {"name": f"document_bad_{name}", **as_field(canonical(tree)), "refused": code}
    for name, data, code in raw_faults():
        yield {"name": f"document_bad_{name}", **as_field(data), "refused": code}


def access_vectors() -> Iterator[Vector]:
    return verdicts(good_access(), access_faults())


def text_vectors() -> Iterator[Vector]:
    return verdicts(good_texts(), text_faults())


def group_vectors() -> Iterator[Vector]:
    return verdicts(good_groups(), group_faults())


def verdicts(
    sound: Iterator[tuple[str, Tree]], faults: Iterator[tuple[str, Tree, str]]
) -> Iterator[Vector]:
    """Yield good documents, and then bad ones with their refusals."""
    for name, tree in sound:
        yield good(f"document_good_{name}", canonical(tree))
    for name, tree, code in faults:
        yield {"name": f"document_bad_{name}", **as_field(canonical(tree)), "refused": code}


def completion_vectors() -> Iterator[Vector]:
    for name, tree in good_completions():
        yield good(f"document_good_{name}", canonical(tree))
    for name, tree, code in completion_faults():
        yield {"name": f"document_bad_{name}", **as_field(canonical(tree)), "refused": code}
    yield from link_vectors()


def good(name: str, data: bytes) -> Vector:
    """Return a document with the two facts that every client must find in it."""
    return {
        "name": name,
        **as_field(data),
        "fingerprint": hashlib.sha256(data).hexdigest(),
        "report_bytes": read_document(data).report_bytes,
    }


def survey_vectors(surveys: dict[str, Tree]) -> Iterator[Vector]:
    """Yield the documents that the other lines of a file refer to by name."""
    for name, tree in surveys.items():
        yield good(f"document_{name}", canonical(tree))


def as_field(data: bytes) -> dict[str, str]:
    """Return readable text if the bytes are UTF-8, otherwise base64."""
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}
