"""Option types for large whole numbers as people write them: 1000, 1e6, or a list with commas."""

from decimal import Decimal, InvalidOperation
from typing import Any

import click

# More digits than any number of respondents needs, and few enough to print.
MOST_DIGITS = 18


class _Count(click.ParamType[int]):
    """One whole number; an exponent is allowed, a fraction is not."""

    name = "count"

    def convert(self, value: Any, parameter: Any, context: Any) -> int:
        if isinstance(value, int):
            return value
        try:
            number = Decimal(value)
        except InvalidOperation:
            number = Decimal("nan")
        if not number.is_finite() or number.adjusted() > MOST_DIGITS or number % 1:
            self.fail(f"{value[:40]!r} is not a whole number such as 1000 or 1e6", parameter)
        return int(number)


class _Counts(click.ParamType[tuple[int, ...]]):
    """One or more whole numbers, such as 1e3,1e4,1e5."""

    name = "counts"

    def convert(self, value: Any, parameter: Any, context: Any) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        return tuple(COUNT.convert(part, parameter, context) for part in value.split(","))


COUNT = _Count()
COUNTS = _Counts()
