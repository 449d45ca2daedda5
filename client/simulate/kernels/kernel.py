"""What the bulk randomizers have in common: answers in, narrow codes of reports out.

Whole reports and tallies come from the same draws; they differ only in whether codes are expanded
to the cells they stand for or counted.
"""

from collections.abc import Callable
from dataclasses import dataclass

from client.simulate.kernels.draws import Narrow
from client.simulate.source import Integers, Source


def same(codes: Narrow) -> Narrow:
    """For kernels whose codes are the cells themselves."""
    return codes


@dataclass(frozen=True)
class Kernel:
    """`draw` gives codes 0 .. codes - 1, one per answer, or a row of them for each mark.

    `expand` turns codes into cells, a row for each mark, and `fold` counts of codes into counts
    of cells.
    """

    codes: int
    draw: Callable[[Narrow, Source], Narrow]
    expand: Callable[[Narrow], Narrow] = same
    fold: Callable[[Integers], Integers] = same
