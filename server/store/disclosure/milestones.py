"""When public results change: at 50, 100, 200, 500, 1,000, 2,000, 5,000, ... reports.

Whoever compares results from before and after a report could see that very report being counted.
So the public sees snapshots with at least MINIMUM reports between them, and never a smaller crowd.
Little is lost: at epsilon 1, fifty reports say no more about a share than within 30 points.
"""

MINIMUM = 50
_STEPS = (1, 2, 5, 10)


def next_milestone(n: int) -> int:
    """The first milestone that is far enough from a snapshot of n reports."""
    least = max(n + MINIMUM, MINIMUM)
    power = int(10 ** (len(str(least)) - 1))
    return next(step * power for step in _STEPS if step * power >= least)


def is_milestone(n: int) -> bool:
    return next_milestone(n - MINIMUM) == n
