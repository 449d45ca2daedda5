"""Vectors of the seven randomizers: every edge of the first draw, both extremes of the truth."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomizedResponse,
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    SubsetSelection,
    TwoLevel,
)
from client.core.primitives.values import decimal_text
from tests.vectors.channels import FLOAT_TRAP
from tests.vectors.tapes import Recorder, Vector, below_edges, bern_edges, tape_hex

Shape = dict[str, int]

QUARTERS = [decimal_text(Decimal(i) / 4) for i in range(1, 41, 2)]
RR_EPSILONS = ["0.01", "0.1", "0.693147", *QUARTERS, "1.098612", FLOAT_TRAP, "9.999999"]
FEW_EPSILONS = ["0.01", "1", FLOAT_TRAP, "10"]

# The lines of math 0.4, with the shapes named as in a document and check-boxes by their numbers.
FROM_THE_MATHEMATICS: list[tuple[type[TwoLevel], str, Shape, Any, str]] = [
    (RandomizedResponse, "1", {}, 1, "bb26a7ad"),
    (RandomizedResponse, "1", {}, 1, "bb26a7ae"),
    (SubsetSelection, "1", {"options": 5, "size": 1}, 3, "67947feacbbe484c"),
    (
        SubsetSelection,
        "0.5",
        {"options": 20, "size": 8},
        17,
        "860bb50b492838819f8c3483c28b56e5637a16383b4cacdf413a5b785ea11eba65a5c1f3",
    ),
    (HadamardResponse, "0.1", {"options": 10000}, 5010, "86650939f24bdcc4"),
    (SampledChecks, "1", {"options": 8, "asked": 1}, [0, 1, 4, 6], "b0f014d460e657a0"),
    (SampledChecks, "4", {"options": 5, "asked": 2}, [2, 3], "7f4e42ba89f787d058867b655815a0f0"),
    (RandomThreshold, "1", {"top": 10}, 10, "55149bfd48102041"),
    (SlidingWindow, "2", {"top": 100, "width": 58}, 67, "d03c178c41703845"),
    (PrivateSet, "1", {"options": 10, "at_most": 3, "size": 1}, [], "72fda5ed416cb9a1"),
    (
        PrivateSet,
        "1",
        {"options": 20, "at_most": 2, "size": 3},
        [8],
        "7cf8dec70cd69b25eb2f47d0c3d63307",
    ),
    (SubsetSelection, "1", {"options": 8, "size": 1}, 3, "fffffffffffffffe0000000a"),
]


def mechanism_vectors() -> Iterator[Vector]:
    for number, (mechanism, eps, shape, answer, tape) in enumerate(FROM_THE_MATHEMATICS):
        head = [int(tape[i : i + 8], 16) for i in range(0, len(tape), 8)]
        yield _vector(f"math_{number}", mechanism, eps, shape, answer, head)
    for eps in RR_EPSILONS:
        T = RandomizedResponse.at(Decimal(eps)).threshold  # noqa: N806 (as in the mathematics)
        for word in bern_edges(T):
            for answer in (0, 1):
                name = f"rr_{eps}_{answer}_{word:08x}"
                yield _vector(name, RandomizedResponse, eps, {}, answer, [word])
    yield from _choices()
    yield from _checks()
    yield from _levels()


def _choices() -> Iterator[Vector]:
    for options, size in [(2, 1), (3, 1), (3, 2), (5, 2), (20, 8), (20, 19), (1000, 2)]:
        shape = {"options": options, "size": size}
        answers = sorted({0, 1, options // 2, options - 1})
        yield from _edges(SubsetSelection, shape, answers, below_edges(options - size))
    for options in [2, 3, 4, 7, 8, 1000, 20000]:
        columns = 1 << options.bit_length()
        answers = sorted({0, 1, options // 2, options - 2, options - 1})
        heads = [[0], [columns - 1], [columns], [2**32 - 1], []]
        yield from _edges(HadamardResponse, {"options": options}, answers, heads)


def _checks() -> Iterator[Vector]:
    for options, asked in [(1, 1), (2, 1), (3, 3), (8, 1), (7, 2), (200, 1)]:
        shape = {"options": options, "asked": asked}
        first = below_edges(options if asked == 1 else options - asked + 1)
        yield from _index_first(SampledChecks, shape, _ticked(options, options), first)
    shapes = [(3, 1, 1), (3, 2, 3), (5, 5, 1), (10, 3, 1), (10, 3, 4), (6, 2, 6), (200, 5, 3)]
    for options, at_most, size in shapes:
        shape = {"options": options, "at_most": at_most, "size": size}
        heads = below_edges(options + at_most - size + 1)[:3]
        yield from _edges(PrivateSet, shape, _ticked(options, at_most), heads)


def _levels() -> Iterator[Vector]:
    for top in [1, 2, 10, 60, 10000]:
        answers = sorted({0, 1, top // 2, top})
        yield from _index_first(RandomThreshold, {"top": top}, answers, below_edges(top))
    for top, width in [(1, 0), (1, 1), (4, 0), (10, 8), (10, 10), (100, 58), (10000, 7000)]:
        answers = sorted({0, 1, top // 2, top})
        heads = below_edges(width + 1)[-2:] + below_edges(top)[-2:]
        yield from _edges(SlidingWindow, {"top": top, "width": width}, answers, heads)
    for top, width, silent in [(10, 6, 1), (10000, 7000, 2)]:
        shape = {"top": top, "width": width, "silent": silent}
        answers = [top, top + 1, top + silent, 0]
        heads = below_edges(width + 1)[-2:] + below_edges(top + silent * (width + 1))[-2:]
        yield from _edges(SlidingWindow, shape, answers, heads)


def _ticked(options: int, at_most: int) -> list[list[int]]:
    """Return no box, one at either end, and as many as may be ticked (or a few of a great many)."""
    most = min(at_most, 8)
    sets = [[], [0], [options - 1], list(range(options - most, options))]
    return [list(ticked) for ticked in sorted({tuple(ticked) for ticked in sets})]


def _edges(
    mechanism: type[TwoLevel], shape: Shape, answers: Sequence[Any], heads: list[list[int]]
) -> Iterator[Vector]:
    """Yield vectors for each edge of the first coin at both extremes; later draws take turns."""
    turn = 0
    for eps in FEW_EPSILONS:
        for word in bern_edges(mechanism.at(Decimal(eps), **shape).threshold):
            for answer in (answers[0], answers[1 + turn % (len(answers) - 1)]):
                name = _label(mechanism, shape, eps, turn)
                head = [word, *heads[turn % len(heads)]]
                yield _vector(name, mechanism, eps, shape, answer, head)
                turn += 1


def _index_first(
    mechanism: type[TwoLevel], shape: Shape, answers: Sequence[Any], heads: list[list[int]]
) -> Iterator[Vector]:
    """Yield vectors for mechanisms that draw an index before the coin: edges of both."""
    turn = 0
    for eps in FEW_EPSILONS[1:]:
        for word in bern_edges(mechanism.at(Decimal(eps), **shape).threshold):
            for head in heads:
                name = _label(mechanism, shape, eps, turn)
                tape = [*head, word] if shape.get("asked", 1) == 1 else head
                yield _vector(name, mechanism, eps, shape, answers[turn % len(answers)], tape)
                turn += 1


def _label(mechanism: type[TwoLevel], shape: Shape, eps: str, turn: int) -> str:
    return "_".join(str(part) for part in [mechanism.name, *shape.values(), eps, turn])


def _vector(
    name: str, mechanism: type[TwoLevel], eps: str, shape: Shape, answer: Any, head: list[int]
) -> Vector:
    shipped = mechanism.at(Decimal(eps), **shape)
    source = Recorder(head, seed=len(name))
    report = shipped.randomize(answer, source)
    return {
        "name": name,
        "mech": shipped.name,
        "eps": eps,
        "shape": shipped.shape,
        "T": shipped.threshold,
        "x": answer,
        "tape": tape_hex(source.used),
        "report": report,
        "words_used": len(source.used),
    }
