"""Vectors of the channel: thresholds, the three primitives on words, randomized response."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

from client.decimals import decimal_text
from client import channel, words
from client.mechanisms import RandomizedResponse
from client.words import WORD_RANGE, Tape

Vector = dict[str, Any]

# One above the floor is what binary64 arithmetic gives at this epsilon (math 0.3).
FLOAT_TRAP = "4.41481"
LAST = WORD_RANGE - 1


def threshold_vectors() -> Iterator[Vector]:
    """The published integer for an epsilon and a ratio near : far."""
    hundredths = [decimal_text(Decimal(i) / 100) for i in range(1, 1001, 3)]
    for eps in [*hundredths, FLOAT_TRAP, "0.693147", "1.098612", "0.010001", "9.999999"]:
        yield _threshold(eps, 1, 1)
    ratios = [(1, 2), (1, 4), (2, 3), (8, 12), (1, 99), (48, 52), (269, 731), (1, 9999), (59, 100)]
    for near, far in ratios:
        for eps in ["0.01", "0.1", "0.25", "0.5", "1", "2", "4", FLOAT_TRAP, "8", "10"]:
            yield _threshold(eps, near, far)


def _threshold(eps: str, near: int, far: int) -> Vector:
    T = channel.threshold(Decimal(eps), near, far)  # noqa: N806 (the name in the mathematics)
    return {"name": f"threshold_{eps}_{near}_{far}", "eps": eps, "near": near, "far": far, "T": T}


def word_vectors() -> Iterator[Vector]:
    """The primitives on the words at every edge, rejected words included."""
    for edge in [0, 1, 2**31 - 1, 2**31, 3139872685, 3139872686, LAST]:
        for threshold in [1, 2**31, 3139872686, LAST]:
            yield _primitive("bern", {"threshold": threshold}, [edge])
    for bound in [1, 2, 3, 5, 6, 7, 10, 100, 1000, 65537, 2**31 - 1, 2**31, 2**31 + 1, LAST, 2**32]:
        limit = WORD_RANGE - WORD_RANGE % bound
        for edge in sorted({0, 1, bound - 1, bound, limit - 1}):
            if edge < limit:
                yield _primitive("below", {"bound": bound}, [edge])
        if limit < WORD_RANGE:
            # The first and the last word past the whole multiples are both drawn again.
            yield _primitive("below", {"bound": bound}, [limit, LAST, 4])
    yield _primitive("subset", {"size": 0, "chosen": 0}, [])
    yield _primitive("subset", {"size": 1, "chosen": 0}, [])
    yield _primitive("subset", {"size": 1, "chosen": 1}, [])
    for size, chosen in [(2, 1), (5, 2), (5, 5), (8, 3), (20, 7), (100, 4)]:
        for seed in range(4):
            yield _primitive("subset", {"size": size, "chosen": chosen}, _scrambled(seed, chosen))
    # Floyd's collision: every draw hits what is already picked, so the top index is taken.
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


def mechanism_vectors() -> Iterator[Vector]:
    """Randomized response on every edge of its two intervals, for both answers."""
    quarters = [decimal_text(Decimal(i) / 4) for i in range(1, 41)]
    for eps in ["0.01", "0.1", "0.693147", *quarters, "1.098612", FLOAT_TRAP, "9.999999"]:
        threshold = RandomizedResponse.for_epsilon(Decimal(eps)).threshold
        for word in sorted({0, threshold - 1, threshold, min(threshold + 1, LAST), LAST}):
            for answer in (0, 1):
                yield _randomized_response(eps, answer, word)


def _randomized_response(eps: str, answer: int, word: int) -> Vector:
    mechanism = RandomizedResponse.for_epsilon(Decimal(eps))
    source = Tape([word])
    report = mechanism.randomize(answer, source)
    return {
        "name": f"rr_{eps}_{answer}_{word:08x}",
        "mech": mechanism.name,
        "eps": eps,
        "T": mechanism.threshold,
        "x": answer,
        "tape": tape_hex([word]),
        "report": report,
        "words_used": source.used,
    }


def tape_hex(tape: list[int]) -> str:
    """Eight hexadecimal digits per word, most significant first."""
    return "".join(f"{word:08x}" for word in tape)


def _scrambled(seed: int, count: int) -> list[int]:
    """Words that look random and are the same everywhere: multiples of an odd constant."""
    return [(seed * 7919 + i + 1) * 2654435761 % WORD_RANGE for i in range(count)]
