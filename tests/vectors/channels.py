"""Vectors of the channel: thresholds, and the three primitives on words."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from math import comb
from typing import Any

from client.core.primitives import channel, words
from client.core.primitives.values import decimal_text
from client.core.primitives.words import WORD_RANGE
from tests.vectors.tapes import LAST, Tape, Vector, scrambled, tape_hex

# binary64 arithmetic gives one above the floor at this epsilon (math 0.3).
FLOAT_TRAP = "4.41481"
EPSILONS = ["0.01", "0.1", "0.25", "0.5", "1", "2", "4", FLOAT_TRAP, "8", "10"]
RATIOS = [
    *((1, 2), (1, 4), (2, 3), (8, 12), (1, 99), (48, 52), (269, 731), (1, 9999), (59, 100)),
    *((19999, 1), (1, 19999), (10000, 10000), (10001, 10000), (1, 10000)),
]


def threshold_vectors() -> Iterator[Vector]:
    """Yield the published integer for an epsilon, a ratio near : far and a number of draws."""
    hundredths = [decimal_text(Decimal(i) / 100) for i in range(1, 1001, 3)]
    for eps in [*hundredths, FLOAT_TRAP, "0.693147", "1.098612", "0.010001", "9.999999"]:
        yield _threshold(eps, 1, 1)
    for near, far in RATIOS:
        for eps in EPSILONS:
            yield _threshold(eps, near, far)
    for draws in [2, 3, 7, 200]:
        for eps in EPSILONS:
            yield _threshold(eps, 1, 1, draws)
    # Private set: near and far are binomial coefficients, far beyond 2^53.
    for options, at_most, size in [(10, 3, 1), (20, 2, 3), (100, 5, 7), (200, 60, 4), (200, 1, 99)]:
        far = comb(options, size)
        near = comb(options + at_most, size) - far
        for eps in EPSILONS:
            yield _threshold(eps, near, far, name=f"set_{options}_{at_most}_{size}")


def _threshold(eps: str, near: int, far: int, draws: int = 1, name: str = "") -> Vector:
    T = channel.threshold(Decimal(eps), near, far, draws)  # noqa: N806 (as in the mathematics)
    label = name or (f"{near}_{far}" if draws == 1 else f"{near}_{far}_{draws}")
    # As text, because these integers may be larger than a double can hold.
    sizes = {"near": str(near), "far": str(far), "draws": draws}
    return {"name": f"threshold_{eps}_{label}", "eps": eps, **sizes, "T": T}


def word_vectors() -> Iterator[Vector]:
    """Yield the primitives on the words at every edge, including rejected words."""
    for edge in [0, 1, 2**31 - 1, 2**31, 3139872685, 3139872686, LAST]:
        for threshold in [1, 2**31, 3139872686, LAST]:
            yield _primitive("bern", {"threshold": threshold}, [edge])
    for bound in [1, 2, 3, 5, 6, 7, 10, 100, 1000, 65537, 2**31 - 1, 2**31, 2**31 + 1, LAST, 2**32]:
        limit = WORD_RANGE - WORD_RANGE % bound
        for edge in sorted({0, 1, bound - 1, bound, limit - 1}):
            if edge < limit:
                yield _primitive("below", {"bound": bound}, [edge])
        if limit < WORD_RANGE:
            # The first and the last word past the whole multiples are both redrawn.
            yield _primitive("below", {"bound": bound}, [limit, LAST, 4])
    yield _primitive("subset", {"size": 0, "chosen": 0}, [])
    yield _primitive("subset", {"size": 1, "chosen": 0}, [])
    yield _primitive("subset", {"size": 1, "chosen": 1}, [])
    for size, chosen in [(2, 1), (5, 2), (5, 5), (8, 3), (20, 7), (100, 4), (20000, 5)]:
        for seed in range(4):
            yield _primitive("subset", {"size": size, "chosen": chosen}, scrambled(seed, chosen))
    # Floyd's collision: every draw hits a member that is already picked, so the top index is taken.
    yield _primitive("subset", {"size": 6, "chosen": 3}, [0, 0, 0])
    yield _primitive("subset", {"size": 6, "chosen": 4}, [LAST, 2, 2, 2, LAST, 2])


def _primitive(name: str, arguments: dict[str, int], tape: list[int]) -> Vector:
    functions: dict[str, Callable[..., Any]] = {
        "bern": words.bern,
        "below": words.below,
        "subset": words.subset,
    }
    source = Tape(tape)
    result = functions[name](source, **arguments)
    label = "_".join(str(value) for value in [name, *arguments.values(), tape_hex(tape)])
    return {
        "name": label,
        "primitive": name,
        **arguments,
        "tape": tape_hex(tape),
        "result": result,
        "words_used": source.used,
    }
