"""When one `cross` question beats two questions: the table of the README, recomputed."""

from decimal import Decimal

import pytest

from client.authoring.draft.mechanism_choice import candidates
from client.core.kinds import SHARES
from client.core.primitives.domain import Choice
from estimators.cross.advice import compare_designs

# Variance of a cell (and of a row's share): two questions at eps/2 / one question at eps.
TABLE = {
    (2, 2): ("9.4 (1.51)", "3.9 (1.77)", "1.85 (1.49)", "1.10 (1.07)"),
    (2, 3): ("12.0 (.88)", "4.8 (1.25)", "2.2 (1.39)", "1.14 (1.07)"),
    (3, 3): ("17.2 (1.06)", "5.5 (1.30)", "2.5 (1.58)", "1.17 (1.11)"),
    (2, 5): ("14.9 (.50)", "5.9 (.71)", "2.9 (1.22)", "1.21 (1.07)"),
    (5, 5): ("30 (.71)", "9.3 (.88)", "3.6 (1.48)", "1.33 (1.18)"),
    (10, 10): ("45 (.39)", "12.8 (.47)", "4.9 (.87)", "1.76 (1.32)"),
}
EPSILONS = ("1", "2", "4", "8")


@pytest.mark.parametrize("sides", TABLE, ids=str)
def test_the_table_of_gains_is_recomputed_to_its_digits(sides: tuple[int, int]) -> None:
    for epsilon, entry in zip(EPSILONS, TABLE[sides], strict=True):
        whole = Decimal(epsilon)
        first, second = (candidates(Choice(side), SHARES, whole / 2)[0] for side in sides)
        found = compare_designs(first, second, sides, whole)
        cell, row = entry.removesuffix(")").split(" (")
        assert _rounded(found.cell_gain, cell) == cell, epsilon
        assert _rounded(found.row_gain, row) == row, epsilon


def _rounded(value: float, like: str) -> str:
    decimals = len(like.partition(".")[2])
    text = f"{value:.{decimals}f}"
    return text.removeprefix("0") if like.startswith(".") else text
