"""The templates, the sentences about mechanisms, and the literature, from the folder `texts`."""

import re
from functools import cache
from importlib.resources import files

_FOLDER = files("estimators.paperwork") / "texts"
_ENTRY = re.compile(r"(\S+?),? .*?([0-9]{4}[a-z]?)\. ")


@cache
def template(name: str) -> str:
    """Return the template with this name."""
    return (_FOLDER / f"{name}.md").read_text("utf-8")


def _described() -> dict[str, str]:
    sections = re.split(r"^# (\w+)\n", template("mechanisms"), flags=re.MULTILINE)[1:]
    return {name: text.strip() for name, text in zip(sections[::2], sections[1::2], strict=True)}


# By the name of a mechanism: what the device did, for a methods section, with its sources.
METHODS = _described()


@cache
def _literature() -> dict[str, str]:
    """Return the literature by how texts cite it: the first author's name and the year."""
    found: dict[str, str] = {}
    for line in template("literature").splitlines():
        entry = line.removeprefix("- ")
        named = _ENTRY.match(entry)
        assert named is not None, line
        found[f"{named[1]} {named[2]}"] = entry
    return found


def cited_in(text: str) -> list[str]:
    """Return the entries of the literature that a text cites, in alphabetical order."""
    return [entry for key, entry in _literature().items() if key in text]
