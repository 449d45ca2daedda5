"""Fast randomness for synthetic respondents: numbered streams of a generator that is not secure."""

import numpy as np
from numpy.typing import NDArray

from client.core.primitives.refusal import require

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Source = np.random.Generator

# Randomizing goes through the answers in blocks of about so many numbers. They stay in the cache,
# yet an operation on them takes so long that threads seldom wait for each other in between.
BLOCK_NUMBERS = 2**20
MAX_SEED = 2**64
MAX_RESPONDENTS = 10**10


def stream(seed: int, *path: int) -> Source:
    """The generator of one part of a simulation, such as a repeat or a block of respondents.

    Parts with different paths are independent, so the result depends on the seed and on how the
    work is numbered, never on which thread does it when.
    """
    require(type(seed) is int and 0 <= seed < MAX_SEED, "bad_seed", "seed", seed=seed)
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=path)))


def generator(seed: int) -> Source:
    """The same seed gives the same respondents."""
    return stream(seed)


def check_respondents(n: int) -> None:
    """A number of respondents that can be simulated."""
    require(
        type(n) is int and 1 <= n <= MAX_RESPONDENTS,
        "bad_n.range",
        "respondents",
        most=MAX_RESPONDENTS,
        n=n,
    )
