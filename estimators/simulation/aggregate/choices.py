"""Draw tallies of reports that add to one cell each, without drawing persons.

People who are alike in everything that still matters are only counted. Each step is one binomial
draw for all of them at once.
"""

from typing import NamedTuple

import numpy as np

from client.core.mechanisms import HadamardResponse, RandomThreshold, SlidingWindow, TwoLevel
from client.core.primitives.words import WORD_RANGE
from estimators.simulation.kernels.source import Integers, Source


class Circle(NamedTuple):
    """The cells in an order in which all near sets are windows of one width on a circle."""

    cells: Integers
    # Where the window of each answer begins; the far set is the rest of the circle.
    starts: Integers
    width: int


def circle_of_options(mechanism: TwoLevel) -> Circle:
    """Return the circle for reports that name one option, near only to itself."""
    options = np.arange(mechanism.cells)
    return Circle(options, options, 1)


def circle_of_thresholds(mechanism: RandomThreshold) -> Circle:
    """Return the circle of yes to 1 .. top, then no to 1 .. top.

    Level x says no to every threshold above x and yes to the others.
    """
    top = mechanism.top
    no = 2 * np.arange(top)
    return Circle(np.concatenate([no + 1, no]), (top + np.arange(top + 1)) % (2 * top), top)


def circle_of_windows(mechanism: SlidingWindow) -> Circle:
    """Return the circle of levels in their order, then the windows of silence."""
    starts = np.array([mechanism.start(answer) for answer in range(mechanism.domain.count)])
    return Circle(np.arange(mechanism.cells), starts, mechanism.near)


def circle_tally(
    mechanism: TwoLevel, circle: Circle, answers: Integers, source: Source
) -> Integers:
    """Draw the tally of the reports, given how many people have each answer."""
    count = mechanism.cells
    near = source.binomial(answers, mechanism.threshold / WORD_RANGE)
    places = np.zeros((2, count), dtype=np.int64)
    places[0, circle.starts] = near
    places[1, (circle.starts + circle.width) % count] = answers - near
    tally = np.empty(count, dtype=np.int64)
    tally[circle.cells] = spread(places[0], circle.width, source) + spread(
        places[1], count - circle.width, source
    )
    return tally


def spread(people: Integers, length: int, source: Source) -> Integers:
    """Move each person on by a uniform number of places below `length` around the circle.

    The possible numbers are halved again and again. People at the same place with as many numbers
    left are alike, so a tally takes 2 log2(length) draws per place.
    """
    possible = {length: people}
    while (most := max(possible)) > 1:
        undecided = possible.pop(most)
        lower = most // 2
        upper = source.binomial(undecided, (most - lower) / most)
        for fewer, decided in (
            (lower, undecided - upper),
            (most - lower, np.roll(upper, lower)),
        ):
            possible[fewer] = possible[fewer] + decided if fewer in possible else decided
    return possible[1]


def hadamard_tally(mechanism: HadamardResponse, answers: Integers, source: Source) -> Integers:
    """Draw the tally of Hadamard reports bit by bit, given how many people have each answer.

    It is a butterfly of the Walsh-Hadamard transform that draws where the transform adds. From the
    highest bit on, a column is uniform until the lowest bit that its row uses. That bit must give
    the ones that row and column share the right parity. So people with the same bits drawn, the
    same bits of the row to come and the same parity to reach are alike.
    """
    columns = mechanism.columns
    near = source.binomial(answers, mechanism.threshold / WORD_RANGE)
    people = np.zeros((1, columns, 2), dtype=np.int64)
    people[0, 1 : len(answers) + 1, 0] = near
    people[0, 1 : len(answers) + 1, 1] = answers - near
    while (rows := people.shape[1]) > 1:
        # Axes: bits drawn, next bit of the row, its lower bits, parity to reach.
        halves = people.reshape(-1, 2, rows // 2, 2)
        ones = source.binomial(halves, 0.5)
        # If no lower bit of the row is left, this bit of the column is the parity itself.
        ones[:, 1, 0, 0] = 0
        ones[:, 1, 0, 1] = halves[:, 1, 0, 1]
        zeros = halves - ones
        drawn = [zeros[:, 0] + zeros[:, 1], ones[:, 0] + ones[:, 1, :, ::-1]]
        people = np.stack(drawn, axis=1).reshape(-1, rows // 2, 2)
    tally: Integers = people[:, 0, 0]
    return tally
