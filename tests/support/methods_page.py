"""What the tests of docs/methods.md share: its text, and a yes/no channel to recompute it with."""

import math
import re
from decimal import Decimal

from client.core.mechanisms import RandomizedResponse, Supporting
from estimators.shares.spread import noise_per_respondent
from tests.support.process import ROOT

TEXT = (ROOT / "docs" / "methods.md").read_text()
PAGE = " ".join(TEXT.split())
ONE = Decimal(1)


def assert_says(sentence: str) -> None:
    """Fail unless the page has this sentence, whatever its line breaks."""
    assert sentence in PAGE, sentence


def p_q(mechanism: Supporting) -> tuple[float, float]:
    """Return the chances with which a report supports the truth and another option."""
    return float(mechanism.p), float(mechanism.q)


def yes_no(epsilon: Decimal = ONE) -> tuple[float, float]:
    """Return p and q of randomized response."""
    return p_q(RandomizedResponse.at(epsilon))


def noise(epsilon: Decimal = ONE) -> float:
    """Return v, the noise variance of one yes/no report."""
    return float(noise_per_respondent(0.5, *yes_no(epsilon)))


def debiased(reported: float, p: float, q: float) -> float:
    """Return the estimated share, given the reported one."""
    return (reported - q) / (p - q)


def error(reported: float, n: int, p: float, q: float) -> float:
    """Return the standard error of the estimated share."""
    return math.sqrt(reported * (1 - reported) / (n - 1)) / abs(p - q)


def percent(share: float) -> str:
    """Return a share as the page prints it."""
    return f"{100 * share:.1f} %"


def rows_below(heading: str) -> list[list[str]]:
    """Return the cells of the table whose heading starts like this."""
    _, _, rest = TEXT.partition(f"| {heading}")
    lines = rest.partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
