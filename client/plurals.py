"""Which form of a text goes with a number: the plural categories of Unicode's CLDR.

The browser knows them by itself (`Intl.PluralRules`); the standard library does not. Only whole
numbers are counted here, and only the languages that have a catalogue.
"""

from collections.abc import Callable


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
    """zero, one, two, few, many or other."""
    return _RULES[language](count)
