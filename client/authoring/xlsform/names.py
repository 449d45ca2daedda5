"""Make names for options and lists, which a draft knows only by their labels."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from zlib import crc32

MAX_NAME = 32
# Options for silence have columns of their own and are in no list.
SILENCE = ("decline", "not_applicable")
# The name for no comes first. A list of just two such names is a yes/no question.
YES_NO = (("no", "yes"), ("n", "y"), ("false", "true"))


def choice_names(labels: Sequence[str]) -> list[str]:
    """Name each label by its letters if they are plain and free, or else by its number."""
    names: list[str] = []
    taken = {"", *SILENCE}
    for number, label in enumerate(labels, 1):
        name = _plain(label)
        names.append(f"option_{number}" if name in taken else name)
        taken.add(names[-1])
    # If a label looks like a number's name, or two options would read as yes and no, number all.
    doubtful = len(set(names)) < len(names) or is_yes_no(names)
    return [f"option_{number}" for number in range(1, len(labels) + 1)] if doubtful else names


def is_yes_no(names: Iterable[str]) -> bool:
    return sorted(name.lower() for name in names) in map(sorted, YES_NO)


def pair_names(rows: Sequence[str], columns: Sequence[str]) -> list[str]:
    return [f"{row}/{column}" for row in rows for column in columns]


def question_id(name: str) -> str:
    """Return a name as an id: XLSForm allows capitals, hyphens, points, and any length."""
    letters = unicodedata.normalize("NFKD", name.strip()).encode("ascii", "ignore").decode().lower()
    plain = re.sub(r"[^a-z0-9_]", "_", letters)
    if plain and not plain[0].isalpha():
        plain = f"q{plain}"
    if len(plain) <= MAX_NAME:
        return plain
    # Long names often begin alike.
    return f"{plain[: MAX_NAME - 9]}_{crc32(plain.encode()):08x}"


def _plain(label: str) -> str:
    letters = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode().lower()
    # A label in another script would keep only its digits, or nothing.
    if not letters.strip() or len(letters) < len(label) / 2:
        return ""
    return re.sub(r"[^a-z0-9]+", "_", letters).strip("_")[:MAX_NAME].strip("_")
