"""Blind RSA signatures of RFC 9474 with SHA-384 and e = 65537: whoever signs cannot see what.

Arithmetic alone: what is signed, and what for, is the business of `ticket.py`, the only importer.
Without a salt one message has one encoding, so a signature is checked by encoding the message again
and comparing two integers. Nothing from outside is parsed.
"""

import hashlib

from client.core.primitives.words import Words

EXPONENT = 65537
_HASH_BITS = 384
_TRAILER = 0xBC


def encode(message: bytes, modulus: int, salt: bytes = b"") -> int:
    """Return EMSA-PSS-ENCODE(message), one bit shorter than the modulus (RFC 8017, 9.1.1)."""
    bits = modulus.bit_length() - 1
    digest = _hash(bytes(8) + _hash(message) + salt)
    size = (bits + 7) // 8 - len(digest) - 1
    block = (b"\1" + salt).rjust(size, b"\0")
    masked = int.from_bytes(block) ^ int.from_bytes(_mask(digest, size))
    kept = masked % (1 << bits - _HASH_BITS - 8)
    return (kept << _HASH_BITS | int.from_bytes(digest)) << 8 | _TRAILER


def blind_message(encoded: int, modulus: int, words: Words) -> tuple[int, int]:
    """Return the blinded message and what unblinds its signature, both drawn with one r.

    Every blinded message fits every encoded one with exactly one r, and all r are equally likely.
    Raise a `ValueError` if the message or r shares a factor with the modulus: then the key is bad.
    """
    r = _uniform(modulus, words)
    # It exists only if both the message and r have an inverse.
    both = pow(encoded * r, -1, modulus)
    return encoded * pow(r, EXPONENT, modulus) % modulus, encoded * both % modulus


def unblind(signed: int, inverse: int, modulus: int) -> int:
    """Return the signature of the message; it is worth nothing until `is_signed` says yes."""
    return signed * inverse % modulus


def is_signed(encoded: int, signature: int, modulus: int) -> bool:
    """Return whether this is the one signature below the modulus of the encoded message."""
    return 0 < signature < modulus and pow(signature, EXPONENT, modulus) == encoded


def _uniform(modulus: int, words: Words) -> int:
    """Draw evenly from 1 to modulus - 1, drawing again what is 0 or too large."""
    bits = modulus.bit_length()
    while True:
        drawn = 0
        for _ in range((bits + 31) // 32):
            drawn = drawn << 32 | words.word()
        drawn %= 1 << bits
        if 0 < drawn < modulus:
            return drawn


def _mask(seed: bytes, size: int) -> bytes:
    """Return the first bytes of MGF1 with SHA-384 (RFC 8017, B.2.1)."""
    blocks = range(-(-size * 8 // _HASH_BITS))
    return b"".join(_hash(seed + block.to_bytes(4)) for block in blocks)[:size]


def _hash(data: bytes) -> bytes:
    return hashlib.sha384(data).digest()
