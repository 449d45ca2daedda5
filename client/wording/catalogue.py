"""The texts of one language, with plurals and formatted figures, the same as on the page."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from client.core.primitives.values import decimal_text
from client.wording.languages import direction
from client.wording.levels import (
    best_chance,
    frequencies,
    is_weak,
    level_name,
    neighbours,
    verdict,
)


def _one_or_other(count: int) -> str:
    return "one" if count == 1 else "other"


def _spanish(count: int) -> str:
    if count != 0 and count % 1_000_000 == 0:
        return "many"
    return _one_or_other(count)


def _arabic(count: int) -> str:
    if count <= 2:
        return ("zero", "one", "two")[count]
    if 3 <= count % 100 <= 10:
        return "few"
    return "many" if count % 100 >= 11 else "other"


_RULES: dict[str, Callable[[int], str]] = {
    "en": _one_or_other,
    "de": _one_or_other,
    "es": _spanish,
    "ar": _arabic,
}


def plural_category(language: str, count: int) -> str:
    """Return the plural category of a count: zero, one, two, few, many or other."""
    return _RULES[language](count)


TEXTS = files("client") / "browser" / "texts"
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff]")
# First strong isolate, and its end: the text between them does not reorder its surroundings.
_ISOLATE, _END = "\u2068", "\u2069"
# The same, but always from right to left.
_ISOLATE_RIGHT_TO_LEFT = "\u2067"
_OTHERS = ("researchers", "burglar", "readers")


def read_texts(folder: Traversable, language: str) -> Mapping[str, str]:
    """Read the catalogue of one language from a folder."""
    texts: dict[str, str] = json.loads((folder / f"{language}.json").read_text("utf-8"))
    return texts


@cache
def _client_texts(language: str) -> Mapping[str, str]:
    return read_texts(TEXTS, language)


class Wording:
    """The texts of one language."""

    def __init__(self, language: str, texts: Mapping[str, str] | None = None) -> None:
        self.language = language
        self.direction = direction(language)
        self._texts = texts or _client_texts(language)

    def say(self, key: str, **values: str | int) -> str:
        """Return the text under `key` with its {placeholders} filled in; raise if one is unknown.

        If a text has several forms, such as `key.one` and `key.other`, `count` decides among them.
        """
        text = self._texts.get(key) or self._form(key, values)
        return _PLACEHOLDER.sub(lambda name: self._written(values[name[1]]), text)

    def can_say(self, key: str, **values: str | int) -> bool:
        """Return whether there is such a text, and `values` fill all its placeholders."""
        text = self._texts.get(key)
        return text is not None and set(_PLACEHOLDER.findall(text)) <= values.keys()

    def number(self, value: int) -> str:
        """Format a count, with its digits grouped in threes."""
        return f"{value:,}".replace(",", self._texts["format.thousands"])

    def decimal(self, value: Decimal) -> str:
        """Format a figure without grouping, because it may be a year or a price."""
        text = decimal_text(value).replace(".", self._texts["format.decimal"])
        return text.replace("-", self._texts["format.minus"])

    def plain_decimal(self, text: str) -> str:
        """Return a typed figure with a point as its decimal sign."""
        return text.strip().replace(self._texts["format.decimal"], ".")

    def listed(self, texts: Iterable[str]) -> str:
        """Join texts into one list."""
        return self._texts["format.comma"].join(self._written(text) for text in texts)

    def best_guess(self, total_epsilon: Decimal) -> str:
        """Say how far anybody's even odds about one person can move, as odds for experts."""
        many, few, whole = _guesses(total_epsilon)
        return self.say("guess", half=whole // 2, many=many, few=few)

    def whole_survey(self, questions: int, total_epsilon: Decimal) -> str:
        """Say how often a guess about one person can be right, with all that the person sends."""
        many, _, whole = _guesses(total_epsilon)
        return self.say("whole", count=questions, many=many, whole=whole, half=whole // 2)

    def level(self, total_epsilon: Decimal) -> str:
        """Return the word for the level of a total epsilon."""
        return self.say(f"level.{level_name(total_epsilon)}")

    def level_sentence(self, total_epsilon: Decimal) -> str:
        """Name the level and the number itself, so that no two epsilons read the same."""
        epsilon = self.decimal(total_epsilon)
        return self.say("level.sentence", level=self.level(total_epsilon), epsilon=epsilon)

    def process(self, total_epsilon: Decimal) -> str:
        """Say what the device does with an answer."""
        return self.say("process.weak" if is_weak(total_epsilon) else "process")

    def consequences(self, total_epsilon: Decimal) -> list[tuple[str, str]]:
        """Return pairs: who could see the true answer; yes, no, or how well they can guess."""
        others = self.say(f"label.{verdict(total_epsilon)}")
        return [
            *((self.say(f"label.{who}"), others) for who in _OTHERS),
            (self.say("label.you"), self.say("label.yes")),
        ]

    def _form(self, key: str, values: Mapping[str, str | int]) -> str:
        """Return the plural form for a count; a language may not need one for each category."""
        if f"{key}.other" not in self._texts:
            raise KeyError(key)
        category = plural_category(self.language, int(values["count"]))
        return self._texts.get(f"{key}.{category}") or self._texts[f"{key}.other"]

    def _written(self, value: str | int) -> str:
        """Group the digits of numbers; isolate texts that may run in the other direction."""
        if isinstance(value, int):
            return self.number(value)
        if self.direction == "rtl" and value.startswith(_ISOLATE):
            # The isolates inside a list do not count as strong, so the list would run like digits
            # do.
            return f"{_ISOLATE_RIGHT_TO_LEFT}{value}{_END}"
        if self.direction == "rtl" or _RIGHT_TO_LEFT.search(value):
            return f"{_ISOLATE}{value}{_END}"
        return value


def _guesses(total_epsilon: Decimal) -> tuple[int, int, int]:
    """Return how many guesses are right, wrong, and made, at most, about people like this one."""
    own, *others = map(best_chance, (total_epsilon, *neighbours(total_epsilon)))
    return frequencies(own, 1 - own, *((other, 1 - other) for other in others))


ENGLISH = Wording("en")
