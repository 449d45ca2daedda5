"""Languages: those the page speaks, writing directions, and the best match for a reader."""

import re
from collections.abc import Iterable, Mapping, Sequence

# The languages that have a catalogue under `browser/texts`.
INTERFACE = ("en", "de", "es", "ar")
_RIGHT_TO_LEFT = frozenset("ar arc ckb dv fa he ks nqo ps sd syr ug ur yi".split())
_RIGHT_TO_LEFT_SCRIPTS = frozenset("Adlm Arab Hebr Nkoo Rohg Syrc Thaa".split())


def direction(language: str) -> str:
    """Return the writing direction of a language; a script in its tag decides."""
    script = next((part for part in language.split("-")[1:] if len(part) == 4), None)
    if script is not None:
        return "rtl" if script in _RIGHT_TO_LEFT_SCRIPTS else "ltr"
    return "rtl" if language.split("-")[0] in _RIGHT_TO_LEFT else "ltr"


def terminal_languages(environment: Mapping[str, str]) -> list[str]:
    """Return the language that the terminal asks for: `LANG=de_DE.UTF-8` gives `de_DE`."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            return [re.split("[.@]", environment[name])[0]]
    return []


def best(wanted: Iterable[str], available: Sequence[str]) -> str | None:
    """Return the first wanted language that is available, also in a plainer or related form.

    `de-AT` accepts `de`, and `pt` accepts `pt-BR`.
    """
    by_name = {language.lower(): language for language in reversed(available)}
    for language in wanted:
        parts = language.lower().replace("_", "-").split("-")
        plainer = ("-".join(parts[:length]) for length in range(len(parts), 0, -1))
        sisters = (name for name in map(str.lower, available) if name.split("-")[0] == parts[0])
        found = next((name for name in (*plainer, *sisters) if name in by_name), None)
        if found is not None:
            return by_name[found]
    return None
