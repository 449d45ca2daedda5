"""Compare a computed figure with a printed one."""

import pytest


def same(found: float, printed: float, digits: int = 4) -> bool:
    """Return whether two figures are equal when rounded as the table is."""
    return float(f"{found:.{digits}g}") == pytest.approx(printed, rel=1e-9)
