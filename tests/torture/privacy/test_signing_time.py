"""The time of signing, in a model that counts work instead of seconds, and measured a few times."""

import random
from collections.abc import Callable

import pytest

from server.signing import private_key
from tests.torture.privacy import signing_time
from tests.torture.privacy.signing_time import KEY, MOST, PLAIN, t_between, without_blindings
from tests.torture.row import Silent

ROUNDS = 300


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], float]:
    """Count what a power costs: by the lengths of its numbers and the ones of its exponent.

    The draws are the same in every run, so the verdict is, too.
    """
    chance, done = random.Random(1), 0.0

    def power(base: int, exponent: int, modulus: int) -> int:
        nonlocal done
        done += base.bit_length() + (abs(exponent).bit_count() if exponent > 65537 else 0)
        return pow(base, exponent, modulus)

    def count(number: int) -> float:
        nonlocal done
        done = 0.0
        KEY.sign(number)
        return done

    for module in (private_key, signing_time):
        monkeypatch.setattr(module, "secure_hex", lambda words: chance.randbytes(4 * words).hex())
    monkeypatch.setattr(private_key, "pow", power, raising=False)
    return count


def test_the_work_of_signing_does_not_depend_on_what_is_signed(
    work: Callable[[int], float],
) -> None:
    assert abs(t_between(work, ROUNDS)) < MOST


def test_the_work_of_signing_without_blindings_does(work: Callable[[int], float]) -> None:
    with without_blindings():
        assert t_between(work, ROUNDS) < PLAIN


def test_the_time_is_measured() -> None:
    outcome = signing_time.run(12, 0, Silent())
    assert outcome.figure.startswith("t = ")
