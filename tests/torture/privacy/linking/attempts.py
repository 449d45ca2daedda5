"""Ten ways to join links and reports, for an operator who has everything but the times.

Each returns, for every link, the number of the report that it takes for this person's. Where a way
has nothing to go by, it guesses.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, TypeVar

from client.core.tickets.rsabssa import EXPONENT
from tests.torture.privacy.linking.world import Asked, Came, World

Guess = list[int]
Attempt = Callable[[World, Random], Guess]
Item = TypeVar("Item")

# An r with so few bits can be found by trying all.
SHORT_BITS = 13
# Every text of so many characters that a report shares with one link alone is found, if it begins
# where a text of the link does, or is longer by a step.
_COMMON, _STEP = 16, 8
# Up to the square root of the largest short r.
_PRIMES = [n for n in range(2, 91) if all(n % smaller for smaller in range(2, n))]
_SMALL_PRIMES = 3 * 5 * 7 * 11 * 13 * 17 * 19 * 23


def by_common_text(world: World, chance: Random) -> Guess:
    """Look in every report for what belongs to one link alone."""
    owners: dict[str, int] = {}
    for number, asked in enumerate(world.asked):
        for text in asked.texts:
            for start in range(0, len(text) - _COMMON + 1, _STEP):
                part = text[start : start + _COMMON]
                # What several links have in common says nothing.
                owners[part] = number if owners.get(part, number) == number else -1
    found = {}
    for number, came in enumerate(world.came):
        for text in came.texts:
            parts = (text[start : start + _COMMON] for start in range(len(text) - _COMMON + 1))
            for owner in (owners.get(part, -1) for part in parts):
                if owner >= 0:
                    found[owner] = number
    return _completed(found, world, chance)


def by_short_r(world: World, chance: Random) -> Guess:
    """Try every short r: with each message it leads to one number that was asked for."""
    links = {asked.blinded: number for number, asked in enumerate(world.asked)}
    powers = _powers(world.modulus)
    found = {}
    for number, came in enumerate(world.came):
        for power in powers:
            blinded = came.message * power % world.modulus
            if blinded in links:
                found[links[blinded]] = number
    return _completed(found, world, chance)


def _powers(modulus: int) -> list[int]:
    """Return r^e for every short r; that of a product is the product of those of its factors."""
    powers = [0, 1]
    for r in range(2, 2**SHORT_BITS):
        factor = next((prime for prime in _PRIMES if r % prime == 0 and r > prime), r)
        power = powers[factor] * powers[r // factor] if factor < r else pow(r, EXPONENT, modulus)
        powers.append(power % modulus)
    return powers


def by_order(world: World, chance: Random) -> Guess:
    """Take the reports in the order in which the links were used."""
    return list(range(len(world.asked)))


def by_rank(
    of_asked: Callable[[World, Asked], Any], of_came: Callable[[World, Came], Any]
) -> Attempt:
    """Sort links and reports by something, and join those of the same rank."""

    def attempt(world: World, chance: Random) -> Guess:
        links = _ranked(world.asked, lambda asked: of_asked(world, asked), chance)
        reports = _ranked(world.came, lambda came: of_came(world, came), chance)
        pairs = dict(zip(links, reports, strict=True))
        return [pairs[number] for number in range(len(links))]

    return attempt


def _ranked(items: Sequence[Item], by: Callable[[Item], Any], chance: Random) -> list[int]:
    """Return the numbers of the items by rank; a lot decides between equals."""
    return sorted(range(len(items)), key=lambda number: (by(items[number]), chance.random()))


def _completed(found: Mapping[int, int], world: World, chance: Random) -> Guess:
    """Guess for the links of which nothing was found, among the reports that are left."""
    sure = {report: link for link, report in found.items()}
    by_link = {link: report for report, link in sure.items()}
    rest = [number for number in range(len(world.came)) if number not in sure]
    chance.shuffle(rest)
    return [by_link[link] if link in by_link else rest.pop() for link in range(len(world.asked))]


def _squares(number: int, world: World) -> list[bool]:
    """Return whether a number is a square modulo each factor."""
    return [pow(number, (prime - 1) // 2, prime) == 1 for prime in world.primes]


ATTEMPTS: dict[str, Attempt] = {
    "a common text": by_common_text,
    "a short r": by_short_r,
    "the order": by_order,
    "places in the file": by_rank(lambda _, asked: asked.row, lambda _, came: came.row),
    "hash and nonce": by_rank(
        lambda _, asked: hashlib.sha256(asked.texts[0].encode()).hexdigest(),
        lambda _, came: came.nonce,
    ),
    "the messages": by_rank(lambda _, asked: asked.blinded, lambda _, came: came.message),
    "the signatures": by_rank(lambda _, asked: asked.signed, lambda _, came: came.signature),
    "small primes": by_rank(
        lambda _, asked: asked.signed % _SMALL_PRIMES,
        lambda _, came: came.signature % _SMALL_PRIMES,
    ),
    "a remainder": by_rank(
        lambda world, asked: asked.blinded % world.primes[0],
        lambda world, came: came.message % world.primes[0],
    ),
    "squares": by_rank(
        lambda world, asked: _squares(asked.blinded, world),
        lambda world, came: _squares(came.message, world),
    ),
}
