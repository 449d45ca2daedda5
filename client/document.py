"""Bytes that somebody published become a `Survey`, or are refused: nothing in them is believed.

The thresholds must deliver no more than the epsilon shown, the total must be the exact sum, the
caps must hold, and the bytes must be the canonical ones, so that the fingerprint pins them.
"""

from client import channel, strict
from client.mechanisms import MECHANISMS, TwoLevel
from client.refusal import require
from client.survey import FORMAT, Question, Survey

MAX_DOCUMENT_BYTES = 2**20

_SURVEY_KEYS = frozenset(
    "candor slug version title intro organizer delete_on questions total_epsilon".split()
)
_QUESTION_KEYS = frozenset("id kind prompt options epsilon mechanism".split())
_MECHANISM_KEYS = frozenset(["name", "threshold"])


def read_document(document: bytes) -> Survey:
    """Read and verify a published document."""
    value = strict.parse(document, MAX_DOCUMENT_BYTES, "document")
    value = strict.exact_keys(value, _SURVEY_KEYS, "document")
    require(
        type(value["candor"]) is int and value["candor"] == FORMAT,
        "unknown_format",
        f"document format {value['candor']!r} is not known, this client reads format {FORMAT}",
        "candor",
    )
    require(isinstance(value["questions"], list), "bad_questions", "questions must be a list")
    survey = Survey(
        slug=value["slug"],
        version=value["version"],
        title=value["title"],
        intro=value["intro"],
        organizer=value["organizer"],
        delete_on=value["delete_on"],
        questions=tuple(_read_question(item) for item in value["questions"]),
    )
    total = channel.decimal_text(survey.total_epsilon)
    require(
        value["total_epsilon"] == total,
        "wrong_total",
        f"total_epsilon must be the sum {total}, got {value['total_epsilon']!r}",
        "total_epsilon",
    )
    # Last, so that a more helpful reason comes first.
    require(survey.document == document, "not_canonical", "the document is not canonical JSON")
    return survey


def _read_question(value: object) -> Question:
    item = strict.exact_keys(value, _QUESTION_KEYS, "question")
    id = str(item["id"])[:40]
    require(isinstance(item["options"], list), "bad_options", f"{id}.options must be a list", id)
    return Question(
        id=item["id"],
        kind=item["kind"],
        prompt=item["prompt"],
        options=tuple(item["options"]),
        epsilon=channel.parse_epsilon(item["epsilon"], f"{id}.epsilon"),
        mechanism=_read_mechanism(item["mechanism"], id),
    )


def _read_mechanism(value: object, id: str) -> TwoLevel:
    item = strict.exact_keys(value, _MECHANISM_KEYS, "mechanism")
    name, threshold = item["name"], item["threshold"]
    require(
        isinstance(name, str) and name in MECHANISMS,
        "unknown_mechanism",
        f"{id}: the mechanism {name!r} is not known",
        id,
    )
    require(
        type(threshold) is int,
        "threshold_out_of_range",
        f"{id}: the threshold must be an integer, got {strict.kind(threshold)}",
        id,
    )
    return MECHANISMS[name](threshold=threshold)
