"""Signing: right, blinded afresh each time, and never a wrong signature out of the process."""

import math
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from client.core.primitives.refusal import Refusal
from client.core.tickets.rsabssa import EXPONENT
from client.core.tickets.ticket import blind, finalize, verify
from server.signing import private_key
from server.signing.blinded import check_blinded, signed_by
from server.signing.keys import SigningKeys
from server.signing.private_key import PrivateKey
from tests.support.ticket_keys import POOL

KEY = PrivateKey(POOL[0].p, POOL[0].q)
# From now on it knows what it computes but once, so no test can spy on that, or spoil it.
KEY.sign(5)
FINGERPRINT = "7e" * 32


@pytest.fixture
def keys(tmp_path: Path) -> SigningKeys:
    return SigningKeys(tmp_path / "ticket-keys")


def test_a_device_gets_a_genuine_ticket_and_the_server_never_saw_it(keys: SigningKeys) -> None:
    public = keys.make()
    blinding = blind(public, FINGERPRINT, "0")
    signed = keys.sign(public, check_blinded(public, blinding.blinded))
    ticket = finalize(public, FINGERPRINT, "0", blinding, signed)
    assert verify(ticket, {"0": public}, FINGERPRINT).nonce == blinding.nonce
    assert signed_by(public, signed) == blinding.blinded
    assert signed not in ticket


@pytest.mark.parametrize("blinded", [2, KEY.modulus - 2, 3 << 2040, KEY.modulus // 2, 65537])
def test_a_signature_is_the_secret_power_whatever_is_drawn(blinded: int) -> None:
    plain = pow(blinded, POOL[0].secret, KEY.modulus)
    assert [KEY.sign(blinded) for _ in range(5)] == [plain] * 5


def spied(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int, int]]:
    """Return where what goes into every power modulo a prime will be written down."""
    powers: list[tuple[int, int, int]] = []

    def power(base: int, exponent: int, modulus: int) -> int:
        if modulus in (KEY.p, KEY.q):
            powers.append((base, exponent, modulus))
        return pow(base, exponent, modulus)

    monkeypatch.setattr(private_key, "pow", power, raising=False)
    return powers


def test_no_power_is_ever_of_the_same_base_or_exponent(monkeypatch: pytest.MonkeyPatch) -> None:
    powers = spied(monkeypatch)
    for _ in range(50):
        KEY.sign(5)
    for prime in (KEY.p, KEY.q):
        own = [power for power in powers if power[2] == prime]
        exponent = pow(EXPONENT, -1, prime - 1)
        factors = [(used - exponent) // (prime - 1) for _, used, _ in own]
        assert all(used % (prime - 1) == exponent for _, used, _ in own)
        assert all(0 <= factor < 2**64 for factor in factors)
        assert len({base for base, _, _ in own}) == len(set(factors)) == 50
        # All 64 bits vary: a bit stays the same in 50 draws once in 2^49.
        assert (max(factors) ^ min(factors)).bit_length() >= 60
        assert math.log2(max(base for base, _, _ in own)) > 1000


@pytest.mark.parametrize("prime", [KEY.p, KEY.q])
def test_a_wrong_signature_never_leaves(prime: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault in one half only would give a factor away: gcd(s^e - z, n)."""

    def faulty(base: int, exponent: int, modulus: int) -> int:
        return pow(base, exponent, modulus) ^ (modulus == prime)

    monkeypatch.setattr(private_key, "pow", faulty, raising=False)
    with pytest.raises(Refusal) as caught:
        KEY.sign(5)
    assert caught.value.code == "signing_failed"


def test_a_fault_that_left_would_give_the_primes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the check before is for: without it, one wrong signature is enough."""

    def faulty(base: int, exponent: int, modulus: int) -> int:
        return pow(base, exponent, modulus) ^ (modulus == KEY.p)

    monkeypatch.setattr(private_key, "pow", faulty, raising=False)
    monkeypatch.setattr(private_key, "require", lambda *_: None)
    wrong = KEY.sign(5)
    assert math.gcd(pow(wrong, EXPONENT, KEY.modulus) - 5, KEY.modulus) == KEY.q


def test_at_most_two_sign_at_once(keys: SigningKeys, monkeypatch: pytest.MonkeyPatch) -> None:
    public = keys.make()
    at_work, most, lock = 0, 0, threading.Lock()
    both = threading.Barrier(2, timeout=60)

    def sign(key: PrivateKey, blinded: int) -> int:
        nonlocal at_work, most
        with lock:
            at_work += 1
            most = max(most, at_work)
        # Each meets another one, so two do work at the same time.
        both.wait()
        with lock:
            at_work -= 1
        return blinded

    monkeypatch.setattr(PrivateKey, "sign", sign)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda z: keys.sign(public, f"{z:0512x}"), range(2, 22)))
    assert most == 2


def test_what_is_no_unit_of_the_key_is_not_signed() -> None:
    n, p = KEY.modulus, KEY.p
    sound = f"{12345:0512x}"
    assert check_blinded(KEY.public, sound) == sound
    assert check_blinded(KEY.public, f"{n - 2:0512x}") == f"{n - 2:0512x}"
    numbers = [0, 1, n - 1, n, n + 5, p, 7 * KEY.q, n - p]
    bad: list[object] = [f"{number:0512x}" for number in numbers]
    bad += [
        f"{n - 5:0512X}",
        sound[1:],
        f"0{sound}",
        f" {sound[1:]}",
        f"{sound}\n",
        "",
        None,
        5,
        [sound],
    ]
    for blinded in bad:
        with pytest.raises(Refusal) as caught:
            check_blinded(KEY.public, blinded)
        assert (caught.value.code, caught.value.field) == ("blinded_bad", "blinded")


def test_keys_come_from_a_library_and_are_as_documents_want_them() -> None:
    key = PrivateKey.new()
    assert key.modulus.bit_length() == 2048
    assert key.public == f"{key.modulus:x}"
    assert abs(key.p - key.q) > 2**900
    assert key.sign(5) == pow(5, pow(EXPONENT, -1, (key.p - 1) * (key.q - 1)), key.modulus)
    numbers = rsa.RSAPrivateNumbers(
        key.p, key.q, *_exponents(key), rsa.RSAPublicNumbers(EXPONENT, key.modulus)
    )
    # OpenSSL checks that they are primes.
    assert numbers.private_key().key_size == 2048


def _exponents(key: PrivateKey) -> tuple[int, int, int, int]:
    d = pow(EXPONENT, -1, (key.p - 1) * (key.q - 1))
    return d, d % (key.p - 1), d % (key.q - 1), pow(key.q, -1, key.p)


def test_a_key_says_nothing_of_itself_when_it_is_printed() -> None:
    for text in (repr(KEY), str(KEY), f"{KEY}"):
        assert str(KEY.p) not in text
        assert f"{KEY.p:x}" not in text
