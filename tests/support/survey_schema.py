"""The published schema of survey files as a validator."""

import re
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from client.authoring.schema import survey_schema


def _pattern(_: Any, pattern: str, value: object, __: Any) -> Iterator[ValidationError]:
    """Match a schema's pattern: its `$` is the end of the text, while Python's allows a newline."""
    if isinstance(value, str) and not re.search(re.sub(r"\$(?=$|\|)", r"\\Z", pattern), value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


VALIDATOR = extend(Draft202012Validator, {"pattern": _pattern})(survey_schema())  # type: ignore[no-untyped-call]


def says_yes(draft: object) -> bool:
    return bool(VALIDATOR.is_valid(draft))
