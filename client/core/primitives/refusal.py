"""Refused input, the one error of the domain: data for programs and a sentence for people.

`Refusal("bad_scale.order", "hi", lo=0, hi=-3)` says which rule was broken, where, and by which
values. The sentence comes from `refusals.en.json` and is made when somebody reads it.
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

# Values are clipped when a refusal is made, so that no input can make a huge error message.
LONGEST_VALUE = 500
LONGEST_QUOTE = 80
MOST_ITEMS = 40
MOST_BITS = 256
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")


class Refusal(ValueError):
    """Refused input, translated once at each edge: a 4xx on the server, exit code 2 in a terminal.

    `key` is `code` or `code.rule`: programs see the code, and the whole key selects the sentence.
    `path` leads to the fault, as in ("questions", 2, "hi"). `names` are what people call the parts
    that contain it. `values` are the plain JSON values that the sentence quotes.
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
        """The sentence, after the names of the containing parts that it does not mention."""
        sentence = self.sentence()
        for name in map(printable, reversed(self.names)):
            if not sentence.startswith((f"{name}:", f"{name}.", f"{name} ")):
                sentence = f"{name}: {sentence}"
        return sentence

    def sentence(self, form: str = "", **words: str) -> str:
        """Return the sentence alone, in the variant for `form` if the catalogue has one.

        A form can replace values by its own `words`, such as its label for the field.
        """
        return _Template().format(
            self._template(form), **{"field": self.field, **self.values, **words}
        )

    def _template(self, form: str) -> str:
        """Return the catalogue's sentence; codes that share a rule may share one as `*.rule`."""
        known = sentences()
        shared = f"*{self.key[len(self.code) :]}"
        return known.get(f"{self.key}@{form}") or known.get(self.key) or known[shared]

    def __str__(self) -> str:
        return self.message


class Relayed(Refusal):
    """A refusal whose sentence comes from another program or is already translated."""

    def __init__(self, code: str, sentence: str, field: str | None = None) -> None:
        super().__init__(code, *([field] if field else []), sentence=sentence)
        self.args = (code, sentence, field)

    def _template(self, form: str) -> str:
        return "{sentence}"


def require(condition: bool, key: str, /, *path: str | int, **values: object) -> None:
    """Raise a `Refusal` unless the condition holds. State rules positively: NaN then fails."""
    if not condition:
        raise Refusal(key, *path, **values)


@contextmanager
def within(*path: str | int, name: str | None = None) -> Iterator[None]:
    """Prefix the path of any refusal raised inside, and add the name people know that part by."""
    try:
        yield
    except Refusal as refusal:
        refusal.path = (*path, *refusal.path)
        if name is not None:
            refusal.names = (_clipped(name), *refusal.names)
        raise


@cache
def sentences() -> dict[str, str]:
    """Return the catalogue of English sentences, by key."""
    text = files(__package__).joinpath("refusals.en.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


class _Template(string.Formatter):
    """Formats `{name}` as the value, lists with commas, and `{name!r}` as a clipped quote."""

    def convert_field(self, value: Any, conversion: Any) -> Any:
        clipped = value[:LONGEST_QUOTE] if isinstance(value, str) else value
        return repr(clipped) if conversion == "r" else value

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, int | float):
            return format(value, format_spec)
        text = ", ".join(value) if isinstance(value, list) else str(value)
        return printable(_clipped(text))


def printable(text: str) -> str:
    """Return the text as one line that UTF-8 can carry, without marks that change its direction."""
    return _UNPRINTABLE.sub(" ", text)


def _clipped(value: Any) -> Any:
    return value[:LONGEST_VALUE] if isinstance(value, str) else value


def _plain(value: object) -> Any:
    """Return the value as a plain JSON value of bounded length."""
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
