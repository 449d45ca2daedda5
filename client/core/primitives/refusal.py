"""The one error of the domain: input that is refused, as data and, for people, as a sentence.

`Refusal("bad_scale.order", "hi", lo=0, hi=-3)` says which rule was broken, where, and with what.
The sentence is made from `refusals.en.json` when somebody reads it.
"""

import json
import re
import reprlib
import string
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from math import isfinite
from typing import Any

# Nobody can put a megabyte into an error: a value is clipped when the refusal is made.
LONGEST_VALUE = 500
LONGEST_QUOTE = 80
MOST_ITEMS = 40
MOST_BITS = 256
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")


class Refusal(ValueError):
    """Bad input. Translated once at each edge: a 4xx on the server, exit code 2 in a terminal.

    `key` is `code` or `code.rule`: the code is public, the whole key finds the sentence.
    `path` leads to the culprit, such as ("questions", 2, "hi"); `names` are what people call the
    parts around it; `values` are what the sentence quotes, as plain JSON values.
    """

    def __init__(self, key: str, /, *path: str | int, **values: object) -> None:
        super().__init__(key)
        self.key = key
        self.path: tuple[str | int, ...] = tuple(_clipped(part) for part in path)
        self.field = str(self.path[-1]) if path else None
        self.names: tuple[str, ...] = ()
        self.values = {name: _plain(value) for name, value in values.items()}

    @property
    def code(self) -> str:
        return self.key.partition(".")[0]

    @property
    def message(self) -> str:
        """The sentence, after the names of the parts that it does not name itself."""
        sentence = self.sentence()
        for name in map(_printable, reversed(self.names)):
            if not sentence.startswith((f"{name}:", f"{name}.", f"{name} ")):
                sentence = f"{name}: {sentence}"
        return sentence

    def sentence(self, form: str = "", **words: str) -> str:
        """The sentence alone; in the words of a form, if it has some in the catalogue.

        A form gives `words` in place of values, such as its own name for the field.
        """
        return _Template().format(
            self._template(form), **{"field": self.field, **self.values, **words}
        )

    def _template(self, form: str) -> str:
        """A rule that many codes share has one sentence for all of them, `*.rule`."""
        known = sentences()
        shared = f"*{self.key[len(self.code) :]}"
        return known.get(f"{self.key}@{form}") or known.get(self.key) or known[shared]

    def __str__(self) -> str:
        return self.message


class Relayed(Refusal):
    """A refusal in words from elsewhere: another program's, or those of a respondent's language."""

    def __init__(self, code: str, sentence: str, field: str | None = None) -> None:
        super().__init__(code, *([field] if field else []), sentence=sentence)
        self.args = (code, sentence, field)

    def _template(self, form: str) -> str:
        return "{sentence}"


def require(condition: bool, key: str, /, *path: str | int, **values: object) -> None:
    """Refuse unless the rule holds. Say rules positively: then NaN cannot pass them."""
    if not condition:
        raise Refusal(key, *path, **values)


@contextmanager
def within(*path: str | int, name: str | None = None) -> Iterator[None]:
    """Put a path before that of refusals from inside, and the name that people know the part by."""
    try:
        yield
    except Refusal as refusal:
        refusal.path = (*path, *refusal.path)
        if name is not None:
            refusal.names = (_clipped(name), *refusal.names)
        raise


@cache
def sentences() -> dict[str, str]:
    """All sentences by key, in English."""
    text = files(__package__).joinpath("refusals.en.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


class _Template(string.Formatter):
    """`{name}` is the value, a list with commas; `{name!r}` the value in quotes, clipped."""

    def convert_field(self, value: Any, conversion: Any) -> Any:
        clipped = value[:LONGEST_QUOTE] if isinstance(value, str) else value
        return repr(clipped) if conversion == "r" else value

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, int | float):
            return format(value, format_spec)
        text = ", ".join(value) if isinstance(value, list) else str(value)
        return _printable(_clipped(text))


def _printable(text: str) -> str:
    """One line in its own direction, which UTF-8 can carry."""
    return _UNPRINTABLE.sub(" ", text)


def _clipped(value: Any) -> Any:
    return value[:LONGEST_VALUE] if isinstance(value, str) else value


def _plain(value: object) -> Any:
    """A value as JSON has it, and not a long one."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value) if value.bit_length() <= MOST_BITS else "a huge number"
    if isinstance(value, float):
        return float(value) if isfinite(value) else str(value)
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return [str(item)[:LONGEST_QUOTE] for item in value[:MOST_ITEMS]]
    try:
        text = reprlib.repr(value) if isinstance(value, list | tuple | dict) else str(value)
    except ValueError:  # a huge number inside
        text = type(value).__name__
    return _clipped(text)
