"""Ten ways to join links and reports, for an operator who has everything but a clock.

Each returns, for every link, the number of the report that it takes for this person's. Where a way
has nothing to go by, it guesses.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from random import Random

from tests.torture.privacy.linking.world import Asked, Came, World

Guess = list[int]
# The exponents of r that are tried: with as few bits an operator can try them all.
SHORT_BITS = 13
# Any text of this length that both have is found.
_COMMON, _STEP = 24, 8
_SMALL_PRIMES = 3 * 5 * 7 * 11 * 13 * 17 * 19 * 23


def by_common_text(world: World, chance: Random) -> Guess:
    """Look for anything in a report that also stands in what belongs to one link alone."""
    size = _COMMON - _STEP
    owners: dict[str, int] = {}
    for number, asked in enumerate(world.asked):
        for text in asked.texts:
            for start in range(0, len(text) - size + 1, _STEP):
                part = text[start : start + size]
                owners[part] = number if owners.get(part, number) == number else -1
    found: dict[int, int] = {}
    for number, came in enumerate(world.came):
        for text in came.texts:
            parts = (text[start : start + size] for start in range(len(text) - size + 1))
            for owner in (owners.get(part, -1) for part in parts):
                if owner >= 0:
                    found[owner] = number
    return completed(found, world, chance)


def by_short_r(world: World, chance: Random) -> Guess:
    """Try every short r: each leads from what was asked to one message."""
    messages = {came.encoded: number for number, came in enumerate(world.came)}
    steps = [pow(r, -65537, world.modulus) for r in range(1, 2**SHORT_BITS, 2)]
    found = {}
    for number, asked in enumerate(world.asked):
        candidates = (asked.blinded * step % world.modulus for step in steps)
        for message in candidates:
            if message in messages:
                found[number] = messages[message]
    return completed(found, world, chance)


def by_order(world: World, chance: Random) -> Guess:
    """Take the reports in the order in which the links were used."""
    return list(range(len(world.asked)))


def by_rank(
    of_asked: Callable[[World, Asked], object], of_came: Callable[[World, Came], object]
) -> Callable[[World, Random], Guess]:
    """Sort both by something, and join those of the same rank."""

    def attempt(world: World, chance: Random) -> Guess:
        links = _sorted(world.asked, lambda asked: of_asked(world, asked), chance)
        reports = _sorted(world.came, lambda came: of_came(world, came), chance)
        pairs = dict(zip(links, reports, strict=True))
        return [pairs[number] for number in range(len(links))]

    return attempt


def _sorted[Item](items: Sequence[Item], by: Callable[[Item], object], chance: Random) -> Guess:
    return sorted(range(len(items)), key=lambda number: (by(items[number]), chance.random()))


def completed(found: dict[int, int], world: World, chance: Random) -> Guess:
    """Guess for the links of which nothing was found, among the reports that are left."""
    sure: dict[int, int] = {}
    for link, report in found.items():
        if report not in sure.values():
            sure[link] = report
    rest = sorted(set(range(len(world.came))) - set(sure.values()))
    chance.shuffle(rest)
    return [sure[link] if link in sure else rest.pop() for link in range(len(world.asked))]


def _is_square(number: int, prime: int) -> bool:
    return pow(number, (prime - 1) // 2, prime) == 1


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


ATTEMPTS: dict[str, Callable[[World, Random], Guess]] = {
    "a common text": by_common_text,
    "a short r": by_short_r,
    "the order": by_order,
    "the numbers": by_rank(lambda _, asked: asked.blinded, lambda _, came: came.encoded),
    "the signatures": by_rank(lambda _, asked: asked.signed, lambda _, came: came.signature),
    "the remainder by p": by_rank(
        lambda world, asked: asked.blinded % world.key.p,
        lambda world, came: came.encoded % world.key.p,
    ),
    "squares by p and q": by_rank(
        lambda world, asked: [_is_square(asked.blinded, prime) for prime in world.primes],
        lambda world, came: [_is_square(came.encoded, prime) for prime in world.primes],
    ),
    "small primes": by_rank(
        lambda _, asked: asked.signed % _SMALL_PRIMES, lambda _, came: came.signature % _SMALL_PRIMES
    ),
    "the nonce": by_rank(lambda _, asked: _hash(asked.texts[0]), lambda _, came: came.nonce),
    "rows of the file": by_rank(lambda _, asked: asked.row, lambda _, came: came.row),
}
