"""Parquet files of reports: their schema, and the optional package that writes and reads them."""

from typing import Any

from client.refusal import Refusal
from client.survey import Survey

# Where the file says which survey its reports belong to: no row can then belong to another one,
# and no question's name can be in the way.
FINGERPRINT = b"candor.fingerprint"


def load_pyarrow() -> Any:
    """The package, imported only when a Parquet file is at hand."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise Refusal(
            "no_pyarrow",
            "Parquet files need pyarrow; install it with: pip install 'candor[parquet]'",
        ) from None
    return pyarrow


def schema_of(survey: Survey) -> Any:
    """A column per question: integers, lists of them, or lists of pairs, as on the wire.

    Only where not everybody is asked every question can an entry be null.
    """
    arrow = load_pyarrow()
    nullable = bool(survey.ask_each_person)
    fields = [
        arrow.field(question.id, _type_of(arrow, question.mechanism.longest), nullable=nullable)
        for question in survey.questions
    ]
    return arrow.schema(fields, metadata={FINGERPRINT: survey.fingerprint})


def _type_of(arrow: Any, example: Any) -> Any:
    """Randomized answers of a question are all nested alike, so that one of them tells."""
    if not isinstance(example, list):
        return arrow.int32()
    return arrow.list_(arrow.field("element", _type_of(arrow, example[0]), nullable=False))
