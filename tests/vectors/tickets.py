"""Vectors of blind tickets: what is sent for the words of a tape, and all that is refused."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import count
from pathlib import Path

from client.core.tickets.rsabssa import encode
from client.core.tickets.ticket import Blinding, blind_with, read, report_id, ticket_of
from tests.support.ticket_keys import POOL, TestKey, ticket_from
from tests.vectors.tapes import Tape, Vector, scrambled, tape_hex

RFC_9474 = Path(__file__).with_name("rfc9474.jsonl")
KEY, OTHER = POOL[0], POOL[1]
FINGERPRINT, OTHER_VERSION = "3c" * 32, "d5" * 32
NONCE_WORDS = 8
# Of words: enough for a dozen numbers that are drawn again.
LONG = 1000
LONGEST_GROUP = "a-group-with-thirty-one-letters"
# Odd and of 2048 bits, but a multiple of three.
DIVISIBLE = 3 * (2**2048 // 3 - 2 | 1)


def ticket_vectors() -> Iterator[Vector]:
    """Yield good tickets, then bad tickets, bad answers of a server, and a bad key."""
    for group in ("", "0", "1-0-2", LONGEST_GROUP):
        yield _good(f"ticket_good_group_{group}", scrambled(len(group), LONG), group)
    for name, numbers in _edges(KEY.modulus):
        words = [word for number in numbers for word in words_of(number)]
        yield _good(f"ticket_good_{name}", [*scrambled(9, NONCE_WORDS), *words])
    keys = {"": KEY.public, "0": OTHER.public}
    for name, ticket in _bad_tickets():
        given = {"keys": keys, "fingerprint": FINGERPRINT, "ticket": ticket}
        yield {"name": f"ticket_bad_{name}", **given, "refused": "ticket_forged"}
    blinding = blind_with(Tape(scrambled(3, LONG)), KEY.public, FINGERPRINT, "")
    for name, signed in _bad_answers(blinding):
        given = {"key": KEY.public, "fingerprint": FINGERPRINT, "blinding": asdict(blinding)}
        yield {"name": f"answer_bad_{name}", **given, "signed": signed, "refused": "ticket_unsound"}
    for name, tape in _with_a_factor():
        given = {"key": _digits(DIVISIBLE), "fingerprint": FINGERPRINT, "tape": tape_hex(tape)}
        yield {"name": f"factor_in_{name}", **given, "refused": "bad_ticket_key"}


def rfc_vectors() -> Iterator[Vector]:
    """Yield the four of RFC 9474, Appendix A: copied, all but r, which stands there inverted."""
    for line in RFC_9474.read_text("ascii").splitlines():
        vector = json.loads(line)
        r = pow(int(vector["inv"], 16), -1, int(vector["n"], 16))
        yield vector | {"r": f"{r:01024x}"}


def words_of(number: int) -> list[int]:
    """Return the words that are drawn for a number."""
    digits = _digits(number)
    return [int(digits[i : i + 8], 16) for i in range(0, len(digits), 8)]


def _good(name: str, tape: list[int], group: str = "") -> Vector:
    words = Tape(tape)
    blinding = blind_with(words, KEY.public, FINGERPRINT, group)
    tape = tape[: words.used]
    ticket = ticket_from(blinding, FINGERPRINT, group, KEY)
    return {
        **{"name": name, "key": KEY.public, "fingerprint": FINGERPRINT, "group": group},
        **{"tape": tape_hex(tape), "words_used": words.used, "blinding": asdict(blinding)},
        **{"signed": KEY.sign(blinding.blinded), "ticket": ticket, "id": report_id(ticket)},
    }


def _edges(modulus: int) -> Iterator[tuple[str, list[int]]]:
    """Yield the first and the last r that are taken, and what is drawn again."""
    yield "smallest_r", [1]
    yield "largest_r", [modulus - 1]
    yield "drawn_again", [0, modulus, 2**2048 - 1, 2]


def _bad_tickets() -> Iterator[tuple[str, str]]:
    ticket = next(
        text for text in map(_ticket, count()) if _signature(text) < 2**2048 - KEY.modulus
    )
    nonce, signature = read(ticket).nonce, _signature(ticket)
    changed = {"plus_the_modulus": signature + KEY.modulus, "minus": KEY.modulus - signature}
    for name, number in {**changed, "zero": 0, "of_something_else": signature ^ 1}.items():
        yield name, ticket_of(nonce, "", _digits(number))
    yield "of_another_nonce", ticket_of("0" * 64, "", _digits(signature))
    yield "moved_to_a_group", ticket_of(nonce, "0", _digits(signature))
    yield "of_an_unknown_group", ticket_of(nonce, "1", _digits(signature))
    yield "signed_with_the_key_of_another_group", _ticket(1, key=OTHER)
    yield "of_another_version", _ticket(1, OTHER_VERSION)
    yield "in_capitals", ticket.upper()
    yield "with_a_blank", f"{ticket} "
    yield "with_a_line_break", f"{ticket}\n"
    yield "of_511_digits", f"{nonce}.{_digits(signature)[1:]}"
    yield "with_an_empty_group", f"{nonce}..{_digits(signature)}"
    yield "with_a_group_too_long", ticket_of(nonce, f"{LONGEST_GROUP}x", _digits(signature))
    yield "of_an_open_survey", f"{nonce}.{'5a' * 32}"
    yield "empty", ""


def _bad_answers(blinding: Blinding) -> Iterator[tuple[str, object]]:
    signed = KEY.sign(blinding.blinded)
    yield "signed_with_another_key", OTHER.sign(_digits(int(blinding.blinded, 16) % OTHER.modulus))
    yield "not_signed", blinding.blinded
    for name, number in {"zero": 0, "modulus": KEY.modulus, "changed": int(signed, 16) ^ 1}.items():
        yield name, _digits(number)
    yield "in_capitals", signed.upper()
    yield "too_short", signed[1:]
    yield "nothing", None
    yield "number", 1


def _with_a_factor() -> Iterator[tuple[str, list[int]]]:
    """Yield tapes of which the message or r shares the factor three with the key."""
    nonces = [scrambled(seed, NONCE_WORDS) for seed in range(20)]
    dividing = next(words for words in nonces if _message(words) % 3 == 0)
    yield "message", [*dividing, *words_of(1)]
    other = next(words for words in nonces if _message(words) % 3 != 0)
    yield "r", [*other, *words_of(3 << 1000)]


def _message(nonce: list[int]) -> int:
    """Return the encoded message for the divisible key, written out once more."""
    message = bytes.fromhex(tape_hex(nonce)) + f"candor ticket 1\n{FINGERPRINT}\n".encode()
    return encode(message, DIVISIBLE)


def _ticket(seed: int, fingerprint: str = FINGERPRINT, key: TestKey = KEY) -> str:
    blinding = blind_with(Tape(scrambled(seed, LONG)), key.public, fingerprint, "")
    return ticket_from(blinding, fingerprint, "", key)


def _signature(ticket: str) -> int:
    return int(read(ticket).signature, 16)


def _digits(number: int) -> str:
    return f"{number:0512x}"
