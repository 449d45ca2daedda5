"""The code in a personal link: a secret that people can also read off a letter and type.

It has 70 random bits. Of 10,000 links, a guess meets one with a chance below 10^-17, so a million
guesses a second would find the first after about 3,700 years. Before them it has a digit for each
factor of its group, if links set groups: a device must know which key signs its ticket.
"""

from dataclasses import dataclass

from client.core.groups import BY_LINK
from client.core.primitives.words import secure_hex
from client.core.survey import Survey

# All digits and letters but i, l, o and u: i and l are read as 1, and o as 0.
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
SYMBOLS = 14
_ALIKE = str.maketrans({"i": "1", "l": "1", "o": "0", "-": None})
_BITS_EACH = 5
# More than the 70 bits that are used.
_WORDS = 3


@dataclass(frozen=True)
class Code:
    """A code as it was written, and the group that it names."""

    text: str
    group: str


def new_code(group: str = "") -> str:
    """Draw a code such as 7k3mq-2xw9-pbd4r, or 02-7k3mq-2xw9-pbd4r for the group 0-2."""
    drawn = int(secure_hex(_WORDS), 16)
    mask = len(ALPHABET) - 1
    return _hyphenated(
        group.replace("-", ""),
        "".join(ALPHABET[drawn >> _BITS_EACH * place & mask] for place in range(SYMBOLS)),
    )


def read_code(text: str, survey: Survey) -> Code | None:
    """Return the code that somebody typed; None if it cannot be one of this survey."""
    groups = survey.groups
    digits = len(groups.factors) if groups and groups.by == BY_LINK else 0
    symbols = text.lower().translate(_ALIKE)
    known = len(symbols) == digits + SYMBOLS and set(symbols) <= set(ALPHABET)
    if not known:
        return None
    levels, secret = symbols[:digits], symbols[digits:]
    return Code(_hyphenated(levels, secret), "-".join(levels))


def _hyphenated(levels: str, secret: str) -> str:
    parts = (levels, secret[:5], secret[5:9], secret[9:])
    return "-".join(part for part in parts if part)
