"""What an audit looks for: true answers far apart, and the reports that tell them apart.

Written from the definition of each near set (math 2 to 5), not from the samplers: it has to find
their faults.
"""

from typing import Any

from client.domain import Checks, Choice
from client.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomizedResponse,
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    SubsetSelection,
    TwoLevel,
)


def audited_answers(mechanism: TwoLevel) -> list[Any]:
    """Both extremes and one answer between them, chosen before anything is counted."""
    domain = mechanism.domain
    if isinstance(domain, Checks):
        full = list(range(domain.options - domain.at_most, domain.options))
        return [[], full] if full == [0] else [[], [0], full]
    last = domain.options - 1 if isinstance(domain, Choice) else domain.top
    return sorted({0, last // 2, last})


def tells_apart(mechanism: TwoLevel, answer: Any, other: Any, report: Any) -> bool:
    """The event A(x) minus A(x'): near one answer in every draw, near the other in none."""
    return near_draws(mechanism, answer, report) == mechanism.draws and (
        near_draws(mechanism, other, report) == 0
    )


def near_draws(mechanism: TwoLevel, answer: Any, report: Any) -> int:
    """How many of a report's draws came out in the near set of this answer."""
    match mechanism:
        case RandomizedResponse():
            return int(report == answer)
        case SubsetSelection():
            return int(answer in report)
        case HadamardResponse():
            return int((report & (answer + 1)).bit_count() % 2 == 0)
        case SampledChecks():
            return sum(bit == int(box in answer) for box, bit in report)
        case PrivateSet(options=options, at_most=at_most):
            blanks = range(options, options + at_most - len(answer))
            return int(any(item in answer or item in blanks for item in report))
        case RandomThreshold():
            return int(report[1] == int(answer >= report[0]))
        case SlidingWindow(width=width):
            return int(answer <= report <= answer + width)
    raise TypeError(f"no near set is known for {mechanism}")
