"""Blind tickets: vectors, other implementations of the same standard, and what must not happen."""

from functools import cache
from math import gcd
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from scipy import stats

from client.core.primitives.refusal import Refusal
from client.core.primitives.words import SecureWords
from client.core.tickets import rsabssa, ticket
from client.core.tickets.ticket import Blinding
from tests.support.ticket_keys import POOL, TestKey, ticket_for, ticket_from
from tests.vectors.generate import read
from tests.vectors.tapes import Tape
from tests.vectors.tickets import words_of

Vector = dict[str, Any]
FINGERPRINT = "0f" * 32
KEY = POOL[2]
WAYS = ("Randomized", "Deterministic")
# A fair draw fails this once in so many runs.
FALSE_ALARM = 1e-9
WITHOUT_SALT = padding.PSS(padding.MGF1(hashes.SHA384()), 0)


def named(prefix: str) -> list[Any]:
    found = [vector for vector in read("tickets.jsonl") if vector["name"].startswith(prefix)]
    return [pytest.param(vector, id=vector["name"]) for vector in found]


@pytest.mark.parametrize("vector", read("rfc9474.jsonl"), ids=lambda vector: vector["name"])
def test_the_example_of_the_standard_is_reproduced_step_by_step(vector: Vector) -> None:
    n, p, q = (int(vector[name], 16) for name in ("n", "p", "q"))
    assert p * q == n
    message = bytes.fromhex(vector["msg_prefix"] + vector["msg"])
    encoded = rsabssa.encode(message, n, bytes.fromhex(vector["salt"]))
    assert encoded == int(vector.get("encoded_msg", f"{encoded:x}"), 16)
    blinded, inverse = rsabssa.blind_message(encoded, n, Tape.from_hex(vector["r"]))
    assert (blinded, inverse) == (int(vector["blinded_msg"], 16), int(vector["inv"], 16))
    signed = pow(blinded, TestKey(p, q).secret, n)
    assert signed == int(vector["blind_sig"], 16)
    signature = rsabssa.unblind(signed, inverse, n)
    assert signature == int(vector["sig"], 16)
    assert rsabssa.is_signed(encoded, signature, n)


def test_the_standard_has_four_examples() -> None:
    variants = {f"{salt}-{way}" for salt in ("PSS", "PSSZERO") for way in WAYS}
    names = [vector["name"].removeprefix("RSABSSA-SHA384-") for vector in read("rfc9474.jsonl")]
    assert (len(names), set(names)) == (4, variants)


@pytest.mark.parametrize("vector", named("ticket_good"))
def test_a_tape_becomes_exactly_this_ticket(vector: Vector) -> None:
    key, fingerprint, group = vector["key"], vector["fingerprint"], vector["group"]
    tape = Tape.from_hex(vector["tape"])
    blinding = ticket.blind_with(tape, key, fingerprint, group)
    assert (blinding, tape.used) == (Blinding(**vector["blinding"]), vector["words_used"])
    text = ticket.finalize(key, fingerprint, group, blinding, vector["signed"])
    assert text == vector["ticket"]
    found = ticket.verify(text, {group: key}, fingerprint)
    assert (found, found.group) == (ticket.read(text), group)
    assert ticket.ticket_of(found.nonce, found.group, found.signature) == text
    assert ticket.report_id(text) == vector["id"]


@pytest.mark.parametrize("vector", named("ticket_bad"))
def test_a_bad_ticket_is_refused(vector: Vector) -> None:
    with pytest.raises(Refusal) as caught:
        ticket.verify(vector["ticket"], vector["keys"], vector["fingerprint"])
    assert caught.value.code == vector["refused"]


@pytest.mark.parametrize("vector", named("answer_bad"))
def test_a_bad_answer_of_the_server_is_refused(vector: Vector) -> None:
    key, fingerprint = vector["key"], vector["fingerprint"]
    blinding = Blinding(**vector["blinding"])
    with pytest.raises(Refusal) as caught:
        ticket.finalize(key, fingerprint, "", blinding, vector["signed"])
    assert caught.value.code == vector["refused"]


@pytest.mark.parametrize("vector", named("factor"))
def test_a_device_stops_if_the_key_has_a_factor_of_its_message_or_of_r(vector: Vector) -> None:
    with pytest.raises(Refusal) as caught:
        ticket.blind_with(Tape.from_hex(vector["tape"]), vector["key"], vector["fingerprint"], "")
    assert caught.value.code == vector["refused"]


def test_other_programs_accept_our_signatures_and_make_the_same() -> None:
    """OpenSSL as the judge, for keys of all lengths around 2048 bits, and of 3072."""
    lengths = set()
    for first, second in [(2046, 2046), (2046, 2048), (2048, 2048), (2048, 2050), (3072, 3072)]:
        key = TestKey(primes(first)[0], primes(second)[1])
        lengths.add(key.modulus.bit_length())
        private = as_openssl(key)
        for number in range(4):
            message = f"message {number}".encode()
            encoded = rsabssa.encode(message, key.modulus)
            blinded, inverse = rsabssa.blind_message(encoded, key.modulus, SecureWords())
            signed = pow(blinded, key.secret, key.modulus)
            signature = rsabssa.unblind(signed, inverse, key.modulus)
            assert rsabssa.is_signed(encoded, signature, key.modulus)
            # One message has one signature.
            written = private.sign(message, WITHOUT_SALT, hashes.SHA384())
            assert signature == int.from_bytes(written)
            private.public_key().verify(written, message, WITHOUT_SALT, hashes.SHA384())
            with pytest.raises(InvalidSignature):
                private.public_key().verify(written, message[1:], WITHOUT_SALT, hashes.SHA384())
    assert lengths == {2046, 2047, 2048, 2049, 3072}


@cache
def primes(bits: int) -> tuple[int, int]:
    """Return two primes of half as many bits, whose products are as long as can be."""
    numbers = rsa.generate_private_key(rsabssa.EXPONENT, bits).private_numbers()
    return numbers.p, numbers.q


def as_openssl(key: TestKey) -> rsa.RSAPrivateKey:
    p, q, d = key.p, key.q, key.secret
    public = rsa.RSAPublicNumbers(rsabssa.EXPONENT, key.modulus)
    remainders = d % (p - 1), d % (q - 1), pow(q, -1, p)
    return rsa.RSAPrivateNumbers(p, q, d, *remainders, public).private_key()


def test_the_message_that_is_signed_is_the_one_that_is_written_down() -> None:
    text = ticket_for(FINGERPRINT, "1-0", KEY)
    nonce, group, signature = text.split(".")
    message = bytes.fromhex(nonce) + f"candor ticket 1\n{FINGERPRINT}\n{group}".encode("ascii")
    as_openssl(KEY).public_key().verify(
        bytes.fromhex(signature), message, WITHOUT_SALT, hashes.SHA384()
    )


def test_every_ticket_fits_every_request_with_exactly_one_r() -> None:
    """Whoever holds the private key finds for each pair the r that would have led to it."""
    asked = [ticket.blind(KEY.public, FINGERPRINT) for _ in range(8)]
    tickets = [ticket_from(blinding, FINGERPRINT, "", KEY) for blinding in asked]
    n, secret = KEY.modulus, KEY.secret
    fitting: set[int] = set()
    for text in tickets:
        signature = int(ticket.read(text).signature, 16)
        encoded = pow(signature, rsabssa.EXPONENT, n)
        for blinding in asked:
            blinded = int(blinding.blinded, 16)
            r = pow(blinded * pow(encoded, -1, n), secret, n)
            nonce = [int(ticket.read(text).nonce[i : i + 8], 16) for i in range(0, 64, 8)]
            tape = Tape([*nonce, *words_of(r)])
            again = ticket.blind_with(tape, KEY.public, FINGERPRINT, "")
            assert again.blinded == blinding.blinded
            assert ticket_from(again, FINGERPRINT, "", KEY) == text
            fitting.add(r)
    assert len(fitting) == len(asked) * len(tickets)


def test_r_is_uniform_below_the_modulus(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same code counts every word: with a modulus of 8 bits each r comes up equally often."""
    modulus, encoded = 13 * 17, 2
    monkeypatch.setattr(rsabssa, "EXPONENT", 1)
    seen: list[int] = []
    for word in range(256):
        try:
            seen.append(rsabssa.blind_message(encoded, modulus, Tape([word << 8 | word]))[0])
        except ValueError:
            assert gcd(word, modulus) > 1
        except IndexError:
            assert word == 0 or word >= modulus
    units = [r for r in range(modulus) if gcd(r, modulus) == 1]
    assert sorted(seen) == sorted(r * encoded % modulus for r in units)


def test_all_bits_of_what_is_drawn_are_fresh_and_fair() -> None:
    """A fixed, short or repeated nonce or r would tell whose ticket it is."""
    drawn = [ticket.blind(KEY.public, FINGERPRINT) for _ in range(200)]
    nonces = [int(blinding.nonce, 16) for blinding in drawn]
    blinds = [pow(int(blinding.inv, 16), -1, KEY.modulus) for blinding in drawn]
    # r is below the modulus, so its two highest bits are not quite fair.
    for numbers, bits in ((nonces, 256), (blinds, 2046)):
        assert len(set(numbers)) == len(drawn)
        ones = [sum(number >> place & 1 for number in numbers) for place in range(bits)]
        least = stats.binomtest(min(ones), len(drawn)).pvalue
        most = stats.binomtest(max(ones), len(drawn)).pvalue
        assert min(least, most) * bits > FALSE_ALARM


def test_the_uneven_top_of_r_reaches_the_modulus() -> None:
    drawn = [ticket.blind(KEY.public, FINGERPRINT) for _ in range(400)]
    shares = [pow(int(b.inv, 16), -1, KEY.modulus) / KEY.modulus for b in drawn]
    assert stats.kstest(shares, "uniform").pvalue > FALSE_ALARM
