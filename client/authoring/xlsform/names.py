"""Names for what a draft knows by its label only: options, and lists of them."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

MAX_NAME = 32
# The options for silence stand in columns of their own, not in a list.
SILENCE = ("decline", "not_applicable")
# No first. A list of just these two names is a yes/no question.
YES_NO = (("no", "yes"), ("n", "y"), ("false", "true"))


def choice_names(labels: Sequence[str]) -> list[str]:
    """A name for each label: its letters where they are plain and not taken, else its number."""
    names: list[str] = []
    taken = {"", *SILENCE}
    for number, label in enumerate(labels, 1):
        name = _plain(label)
        names.append(f"option_{number}" if name in taken else name)
        taken.add(names[-1])
    # Numbers are free unless a label is called like one; nor may two options turn into yes and no.
    doubtful = len(set(names)) < len(names) or is_yes_no(names)
    return [f"option_{number}" for number in range(1, len(labels) + 1)] if doubtful else names


def is_yes_no(names: Iterable[str]) -> bool:
    return sorted(name.lower() for name in names) in map(sorted, YES_NO)


def pair_names(rows: Sequence[str], columns: Sequence[str]) -> list[str]:
    return [f"{row}/{column}" for row in rows for column in columns]


def question_id(name: str) -> str:
    """XLSForm allows capitals, hyphens and points in names; an id has none."""
    return re.sub(r"[-.]", "_", name.strip().lower())


def _plain(label: str) -> str:
    letters = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode().lower()
    # A label in another script would be left with its digits, or with nothing.
    if not letters.strip() or len(letters) < len(label) / 2:
        return ""
    return re.sub(r"[^a-z0-9]+", "_", letters).strip("_")[:MAX_NAME].strip("_")
