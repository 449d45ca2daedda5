"""Fast randomness for synthetic respondents: the three primitives of math 0.4 on arrays.

The generator is not secure, but its draws are exact: a coin compares a 32-bit word with the
published integer threshold, and uniform numbers are drawn without the bias of a remainder.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from client.refusal import require
from client.words import WORD_RANGE

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Source = np.random.Generator

# Respondents per step: large enough for numpy, small enough for a cache and a progress bar.
BATCH = 2**18
# And no step may hold more numbers than this, however many a respondent needs.
ROOM = 2**23
MAX_SEED = 2**64
MAX_RESPONDENTS = 10**10


def generator(seed: int) -> Source:
    """The same seed gives the same respondents."""
    require(
        type(seed) is int and 0 <= seed < MAX_SEED,
        "bad_seed",
        f"seed must be an integer from 0 to 2^64 - 1, got {seed!r}",
        "seed",
    )
    return np.random.Generator(np.random.SFC64(seed))


def check_respondents(n: int) -> None:
    """A number of respondents that can be simulated."""
    require(
        type(n) is int and 1 <= n <= MAX_RESPONDENTS,
        "bad_n",
        f"respondents must be an integer from 1 to {MAX_RESPONDENTS:,}, got {n!r}",
        "respondents",
    )


def batches(n: int, numbers: int = 1) -> Iterator[int]:
    """The sizes of the steps in which n respondents of so many numbers each are simulated."""
    step = max(1, min(BATCH, ROOM // numbers))
    for start in range(0, n, step):
        yield min(step, n - start)


def coins(threshold: int, n: int, source: Source) -> Flags:
    """n biased coins, each heads with probability threshold / 2^32 exactly."""
    return source.integers(WORD_RANGE, size=n, dtype=np.uint32) < np.uint32(threshold)


def below(bound: int, n: int, source: Source) -> Integers:
    """n numbers, uniform on 0 .. bound - 1."""
    return source.integers(bound, size=n)


def subsets(size: int, chosen: int, n: int, source: Source) -> Integers:
    """n uniform `chosen`-subsets of 0 .. size - 1, one per row, in no order: Floyd's algorithm."""
    rows = np.arange(n)
    picked = np.empty((n, chosen), dtype=np.int64)
    taken = np.zeros((n, size), dtype=np.bool_)
    for step, last in enumerate(range(size - chosen, size)):
        candidates = below(last + 1, n, source)
        # As many are taken as numbers were too high to be drawn before, so `last` is free.
        picked[:, step] = np.where(taken[rows, candidates], last, candidates)
        taken[rows, picked[:, step]] = True
    return picked
