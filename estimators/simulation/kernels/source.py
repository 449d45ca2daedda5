"""Fast randomness for synthetic respondents: numbered streams of a generator that is not secure."""

import numpy as np
from numpy.typing import NDArray

from client.core.primitives.refusal import require

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Source = np.random.Generator

# Answers are randomized in blocks of about this many numbers. They fit into the cache, yet an
# operation on them takes long enough that threads seldom wait for each other.
BLOCK_NUMBERS = 2**20
MAX_SEED = 2**64
MAX_RESPONDENTS = 10**10


def stream(seed: int, *path: int) -> Source:
    """Return the generator of one part of a simulation, such as a repeat or a block.

    Parts with different paths are independent. So the result depends on the seed and on how the
    work is numbered, never on which thread does it or when.
    """
    require(type(seed) is int and 0 <= seed < MAX_SEED, "bad_seed", "seed", seed=seed)
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=path)))


def check_respondents(n: int) -> None:
    """Raise unless this number of respondents can be simulated."""
    require(
        type(n) is int and 1 <= n <= MAX_RESPONDENTS,
        "bad_n.range",
        "respondents",
        most=MAX_RESPONDENTS,
        n=n,
    )
