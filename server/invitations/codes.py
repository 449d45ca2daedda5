"""The code in a personal link: a secret that people can also read off a letter and type.

It has 70 random bits. Of 10,000 links, a guess meets one with a chance below 10^-17, so a million
guesses a second would find the first after about 3,700 years. A code is not a ticket: it buys one.
"""

from client.core.primitives.words import secure_hex

# All digits and letters but i, l, o and u: i and l are read as 1, and o as 0.
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
SYMBOLS = 14
_ALIKE = str.maketrans({"i": "1", "l": "1", "o": "0", "-": None})
_BITS_EACH = 5
# More than the 70 bits that are used.
_WORDS = 3


def new_code() -> str:
    """Draw a code such as 7k3mq-2xw9-pbd4r."""
    drawn = int(secure_hex(_WORDS), 16)
    mask = len(ALPHABET) - 1
    return _hyphenated(
        "".join(ALPHABET[drawn >> _BITS_EACH * place & mask] for place in range(SYMBOLS))
    )


def read_code(text: str) -> str | None:
    """Return the code that somebody typed, as it was written; None if it cannot be one."""
    symbols = text.lower().translate(_ALIKE)
    known = len(symbols) == SYMBOLS and set(symbols) <= set(ALPHABET)
    return _hyphenated(symbols) if known else None


def _hyphenated(symbols: str) -> str:
    return f"{symbols[:5]}-{symbols[5:9]}-{symbols[9:]}"
