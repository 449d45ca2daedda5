"""The two-level mechanism: from epsilon to an integer threshold, and the exact check (math 0).

A mechanism reports from the near set of the truth with probability threshold / 2^32 and from the
far set otherwise; near : far is the ratio of their sizes. Epsilon travels as a decimal string and
is never a float where privacy is decided.
"""

import math
import re
from decimal import ROUND_FLOOR, Decimal, localcontext

from client.core.primitives.refusal import Refusal
from client.core.primitives.values import decimal_text
from client.core.primitives.words import WORD_RANGE

MIN_EPSILON, MAX_EPSILON = Decimal("0.01"), Decimal(10)
# A whole survey above this total would hardly protect anybody.
MAX_TOTAL_EPSILON = Decimal(10)
# A threshold must deliver at least this fraction of the epsilon shown with it.
LEAST_DELIVERED = Decimal("0.999")
PRECISION = 80

_DECIMAL = re.compile(r"(0|[1-9][0-9]{0,2})(\.[0-9]{1,6})?")


def parse_epsilon(text: object, field: str = "epsilon") -> Decimal:
    """Parse an epsilon: a plain decimal from 0.01 to 10 with at most six decimals."""
    if not isinstance(text, str) or not _DECIMAL.fullmatch(text):
        raise Refusal("epsilon_not_a_decimal", field, text=text)
    epsilon = Decimal(text)
    if not MIN_EPSILON <= epsilon <= MAX_EPSILON:
        raise Refusal("epsilon_out_of_range", field, text=text)
    return epsilon


def threshold(epsilon: Decimal, near: int, far: int, draws: int = 1) -> int:
    """Return the largest threshold that keeps every ratio within e^epsilon (math 0.3).

    A report that consists of several draws with the same threshold splits epsilon evenly among
    them.
    """
    with localcontext() as context:
        # Near and far may be binomial coefficients with hundreds of digits.
        context.prec = PRECISION + len(str(near + far))
        odds = near * (epsilon / draws).exp()
        # Rounded down: a smaller threshold only lowers epsilon.
        return int((WORD_RANGE * odds / (odds + far)).to_integral_value(rounding=ROUND_FLOOR))


def delivered_epsilon(threshold: int, near: int, far: int) -> float:
    """Return the epsilon that a threshold delivers, ln(T c / ((2^32 - T) a)), for display."""
    return math.log(threshold * far) - math.log((WORD_RANGE - threshold) * near)


def check_threshold(
    chosen: int, epsilon: Decimal, near: int, far: int, field: str, draws: int = 1
) -> None:
    """Raise if a threshold leaks more than epsilon, says nothing, or wastes the budget."""
    if not 0 < chosen < WORD_RANGE:
        raise Refusal("threshold_out_of_range", field, chosen=chosen)
    shown = decimal_text(epsilon)
    if chosen > threshold(epsilon, near, far, draws):
        leak = draws * delivered_epsilon(chosen, near, far)
        raise Refusal("threshold_leaks", field, chosen=chosen, leak=leak, shown=shown)
    if chosen * (near + far) <= WORD_RANGE * near:
        raise Refusal("threshold_says_nothing", field, chosen=chosen)
    if chosen <= threshold(LEAST_DELIVERED * epsilon, near, far, draws):
        raise Refusal("threshold_wasteful", field, chosen=chosen, shown=shown)
