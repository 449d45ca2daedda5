"""Two shares: the score test on the reports, and the intervals of their difference (math 14).

Equal shares are equal shares of reports if both groups have the same channel. So the test needs no
channel, and only the scale of an interval does.
"""

import math

import numpy as np
from scipy import special

from estimators.compare.samples import Outcome, ShareSample
from estimators.confidence import CONFIDENCE
from estimators.shares.intervals import Interval, normal_quantile
from estimators.shares.spread import Array

SCORE, FISHER, LIKELIHOOD = "score", "fisher_exact", "score_at_common_share"
MEE, MOVER = "score (Mee)", "MOVER"
# Below this expected count in the table of reports, the exact test replaces the score test.
LEAST_EXPECTED = 5
# Halvings of an interval of at most 2: as fine as a float.
HALVINGS = 60
# Two tables are equally likely if their chances differ by rounding only.
EQUALLY = 1 + 1e-7


def same_channel(first: ShareSample, second: ShareSample) -> bool:
    return (first.p, first.q) == (second.p, second.q)


def shares_test(first: ShareSample, second: ShareSample) -> Outcome:
    """Test whether two groups have the same share; exactly if an expected count is below 5."""
    if not same_channel(first, second):
        return _test_at_common_share(first, second)
    if least_expected([first.count, second.count], [first.n, second.n]) < LEAST_EXPECTED:
        return Outcome(FISHER, None, fisher_p(first, second), small_counts=True)
    z = pooled_z(first, second)
    return Outcome(SCORE, z, 2 * float(special.ndtr(-abs(z))))


def least_expected(counts: list[int], sizes: list[int]) -> float:
    """Return the smallest expected count in the table of groups by support or not."""
    yes, total = sum(counts), sum(sizes)
    return min(sizes) * min(yes, total - yes) / total


def pooled_z(first: ShareSample, second: ShareSample) -> float:
    """Return (lam1 - lam2)/sqrt(lam(1-lam)(1/n1 + 1/n2)) with lam pooled; 0 without any spread."""
    pooled = (first.count + second.count) / (first.n + second.n)
    spread = pooled * (1 - pooled) * (1 / first.n + 1 / second.n)
    difference = math.copysign(1, first.slope) * (first.reported - second.reported)
    return difference / math.sqrt(spread) if spread > 0 else 0.0


def fisher_p(first: ShareSample, second: ShareSample) -> float:
    """Return Fisher's two-sided p: the chance of all tables that are no likelier than this one."""
    yes, total = first.count + second.count, first.n + second.n
    fewest = max(0, yes - second.n)
    places = np.arange(float(fewest), min(yes, first.n) + 1)
    logs: Array = _log_choose(first.n, places) + _log_choose(second.n, yes - places)
    chances = np.exp(logs - _log_choose(total, np.array([float(yes)])))
    own = chances[first.count - fewest]
    return min(float(chances[chances <= own * EQUALLY].sum()), 1.0)


def _log_choose(n: int, k: Array) -> Array:
    found: Array = special.gammaln(n + 1.0) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    return found


def difference_interval(
    first: ShareSample, second: ShareSample, confidence: float = CONFIDENCE
) -> Interval:
    """Return the interval of first minus second: Mee's, or MOVER if the channels differ."""
    if not same_channel(first, second):
        return mover_interval(first, second, confidence)
    counts = [np.array([float(sample.count)]) for sample in (first, second)]
    low, high = mee_ends(counts[0], first.n, counts[1], second.n, normal_quantile(confidence))
    ends = sorted(float(end[0]) / first.slope for end in (low, high))
    return Interval(ends[0], ends[1])


def mee_ends(c1: Array, n1: int, c2: Array, n2: int, z: float) -> tuple[Array, Array]:
    """Return the ends of all differences of report shares that the score test does not reject.

    The way from the estimate, which is accepted, to -1 and 1, which are not, is halved.
    """
    found = c1 / n1 - c2 / n2
    inside = np.stack((found, found))
    outside = np.stack((np.full_like(found, -1.0), np.full_like(found, 1.0)))
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        second = likeliest_second(c1, n1, c2, n2, middle)
        first = second + middle
        variance = first * (1 - first) / n1 + second * (1 - second) / n2
        accepted = (found - middle) ** 2 <= z**2 * variance
        inside = np.where(accepted, middle, inside)
        outside = np.where(accepted, outside, middle)
    return inside[0], inside[1]


def likeliest_second(c1: Array, n1: int, c2: Array, n2: int, difference: Array) -> Array:
    """Return the likeliest second share of reports if the first is larger by the difference.

    It is a root of a cubic, in its trigonometric form; rounding is cut to what is possible.
    """
    n, c, d = n1 + n2, c1 + c2, difference
    quadratic = ((n1 + 2 * n2) * d - n - c) / (3 * n)
    linear = ((n2 * d - n - 2 * c2) * d + c) / n
    constant = c2 * d * (1 - d) / n
    t = quadratic**3 - linear * quadratic / 2 + constant / 2
    u = np.where(t < 0, -1.0, 1.0) * np.sqrt(np.maximum(quadratic**2 - linear / 3, 0.0))
    cube = u**3
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(cube == 0, 0.0, t / cube)
    angle = (math.pi + np.arccos(np.clip(ratio, -1.0, 1.0))) / 3
    root = 2 * u * np.cos(angle) - quadratic
    possible: Array = np.clip(root, np.maximum(0.0, -d), np.minimum(1.0, 1 - d))
    return possible


def mover_interval(first: ShareSample, second: ShareSample, confidence: float) -> Interval:
    """Return d - sqrt((v1-l1)^2 + (u2-v2)^2) and the mirrored end, from Wilson's l and u."""
    one, other = first.interval(confidence), second.interval(confidence)
    difference = first.value - second.value
    return Interval(
        difference - math.hypot(first.value - one.low, other.high - second.value),
        difference + math.hypot(one.high - first.value, second.value - other.low),
    )


def _test_at_common_share(first: ShareSample, second: ShareSample) -> Outcome:
    """Divide the difference by its error at the share that both groups most likely have."""
    share = common_share((first, second))
    variance = 0.0
    for sample in (first, second):
        reported = min(max(sample.q + sample.slope * share, 0.0), 1.0)
        variance += reported * (1 - reported) / (sample.n * sample.slope**2)
    z = (first.value - second.value) / math.sqrt(variance) if variance > 0 else 0.0
    small = any(
        sample.n * min(chance, 1 - chance) < LEAST_EXPECTED
        for sample in (first, second)
        for chance in [sample.q + sample.slope * share]
    )
    return Outcome(LIKELIHOOD, z, 2 * float(special.ndtr(-abs(z))), small_counts=small)


def common_share(samples: tuple[ShareSample, ...]) -> float:
    """Return the likeliest share if all groups have the same, each through its own channel.

    It may lie outside 0 to 1, as single estimates may, but every channel can send it. With equal
    channels it is the pooled estimate. The log-likelihood is concave, so its slope is halved.
    """
    limits = [sorted((end - s.q) / s.slope for end in (0.0, 1.0)) for s in samples]
    low, high = max(limit[0] for limit in limits), min(limit[1] for limit in limits)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        rising = 0.0
        for s in samples:
            reported = s.q + s.slope * middle
            rising += s.slope * (s.count - s.n * reported) / (reported * (1 - reported))
        low, high = (middle, high) if rising > 0 else (low, middle)
    return (low + high) / 2
