"""What devices send to be signed, and what was signed: checked with the public key alone."""

import re
from math import gcd

from client.core.primitives.refusal import Refusal, require

EXPONENT = 65537
_NUMBER = re.compile(r"[0-9a-f]{512}")


def check_blinded(public: str, blinded: object) -> str:
    """Return what a device sends to be signed; raise if it is no unit of the key, or 1 or -1."""
    if not (isinstance(blinded, str) and _NUMBER.fullmatch(blinded)):
        raise Refusal("blinded_bad", "blinded")
    number, modulus = int(blinded, 16), int(public, 16)
    fits = 1 < number < modulus - 1 and gcd(number, modulus) == 1
    require(fits, "blinded_bad", "blinded")
    return blinded


def signed_by(public: str, signed: str) -> str:
    """Return what this is the signature of."""
    return f"{pow(int(signed, 16), EXPONENT, int(public, 16)):0512x}"
