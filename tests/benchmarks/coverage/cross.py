"""Cross-tables: the level of the tests of independence, the cover of every interval (math 15)."""

from collections.abc import Callable, Iterator
from decimal import Decimal

import numpy as np

from client.authoring.draft.mechanism_choice import best_sliding_window
from client.core.mechanisms import PrivateSet, SampledChecks, SubsetSelection
from estimators.counting.tally import Tally
from estimators.cross.association import Strength, cramers_v, log_odds_ratio, phi
from estimators.cross.cells import Cells, answered_means, cells_of_joint, cells_of_pairs
from estimators.cross.independence import (
    ChiSquare,
    independence_of_cells,
    independence_of_joint,
    independence_of_pairs,
)
from estimators.cross.joint import Joint, joint_of_boxes, joint_of_cells, joint_of_pairs
from estimators.mechanisms.private_set import PrivateSetAnalysis
from estimators.mechanisms.sampled_checks import SampledChecksAnalysis
from estimators.mechanisms.sliding_window import SlidingWindowAnalysis
from estimators.shares.intervals import normal_quantile
from estimators.shares.spread import Array
from tests.benchmarks.coverage.measuring import LEVEL, Case, Found
from tests.support.analyses import choice_estimates
from tests.support.cross_samples import Channel, channel, exact_joint, samples

Z = normal_quantile(0.95)
RELATED = np.array([[0.45, 0.15], [0.1, 0.3]])
THREE = np.array([[0.22, 0.06, 0.06], [0.06, 0.22, 0.05], [0.05, 0.06, 0.22]])

Measurement = Callable[[int], float]


def _yes_no() -> Channel:
    return channel("rr", "2")


def _sets(options: int, size: int) -> Channel:
    return channel("ss", "1", options=options, size=size)


def _independent(rows: int, columns: int) -> Array:
    """Return a table of independent answers with uneven margins."""
    one, other = (np.arange(1, side + 1, dtype=float) for side in (rows, columns))
    return np.outer(one / one.sum(), other / other.sum())


def _rejected(tests: Iterator[ChiSquare]) -> float:
    return float(np.mean([(test.p_value or 1.0) < LEVEL for test in tests]))


def _cover(found: Iterator[Strength | None], truth: float) -> float:
    """Return how often the printed intervals hold the truth."""
    ends = [(item.low, item.high) for item in found if item is not None]
    known = [low <= truth <= high for low, high in ends if low is not None and high is not None]
    return float(np.mean(known))


def level(first: Channel, second: Channel, n: int, repeats: int) -> float:
    """Return how often the test rejects independent answers."""
    truth = _independent(first.chances.shape[1], second.chances.shape[1])
    drawn = samples(first, second, truth, n, repeats, seed=21)
    return _rejected(map(independence_of_pairs, drawn))


def cover_of_phi(n: int, repeats: int) -> float:
    truth = phi(exact_joint(RELATED), Z)
    assert truth is not None
    drawn = samples(_yes_no(), _yes_no(), RELATED, n, repeats, seed=22)
    return _cover((phi(joint_of_pairs(pairs), Z) for pairs in drawn), truth.value)


def cover_of_odds(n: int, repeats: int) -> float:
    truth = log_odds_ratio(exact_joint(RELATED), Z)
    assert truth is not None
    drawn = samples(_yes_no(), _yes_no(), RELATED, n, repeats, seed=23)
    return _cover((log_odds_ratio(joint_of_pairs(pairs), Z) for pairs in drawn), truth.value)


def cover_of_v(n: int, repeats: int) -> float:
    truth = cramers_v(exact_joint(THREE), Z).value
    part = channel("ss", "2", options=3, size=1)
    drawn = samples(part, part, THREE, n, repeats, seed=24)
    return _cover((cramers_v(joint_of_pairs(pairs), Z) for pairs in drawn), truth)


def mean_v(truth: Array, n: int, repeats: int) -> float:
    """Return the mean estimate of V, whose part of noise is removed."""
    part = channel("ss", "2", options=3, size=1)
    drawn = samples(part, part, truth, n, repeats, seed=25)
    return float(np.mean([cramers_v(joint_of_pairs(pairs), Z).value for pairs in drawn]))


def cover_of_row_share(n: int, repeats: int) -> float:
    truth = THREE[0, 0] / THREE[0].sum()
    part = channel("ss", "2", options=3, size=1)
    drawn = samples(part, part, THREE, n, repeats, seed=26)
    found = [cells_of_pairs(pairs).row_shares(Z) for pairs in drawn]
    printed = [ratio for ratio in found if not np.isnan(ratio.low[0, 0])]
    return float(np.mean([r.low[0, 0] <= truth <= r.high[0, 0] for r in printed]))


def cover_of_cells(n: int, repeats: int) -> float:
    """Return how often the intervals of single cells hold them, over all nine cells."""
    part = channel("ss", "2", options=3, size=1)
    drawn = samples(part, part, THREE, n, repeats, seed=31)
    return float(np.mean([_held(cells_of_pairs(pairs), THREE) for pairs in drawn]))


def _held(cells: Cells, truth: Array) -> float:
    return float(np.mean(np.abs(cells.value - truth) <= Z * cells.error))


def cover_of_box_cells(n: int, repeats: int) -> float:
    """Return the same for boxes by yes/no, two of three boxes a report."""
    analysis = SampledChecksAnalysis(SampledChecks.at(Decimal(4), options=3, asked=2))
    reports = analysis.reports()
    answers: list[list[int]] = [[], [0], [0, 1], [2]]
    chances = [np.array(analysis.chances(reports, answer), float) for answer in answers]
    boxes = Channel(analysis.report_scores(reports), np.stack(chances, axis=1))
    truth = np.outer([0.4, 0.3, 0.2, 0.1], [0.6, 0.4])
    ticked = np.array([[box in answer for answer in answers] for box in range(3)], float)
    drawn = samples(boxes, _yes_no(), truth, n, repeats, seed=32)
    return float(np.mean([_held(cells_of_pairs(pairs), ticked @ truth) for pairs in drawn]))


def cover_of_mean(name: str, n: int, repeats: int, **shape: int) -> float:
    """Return how often the mean of a number among those who say yes is in its interval."""
    number, top = channel(name, "2", **shape), shape["top"]
    levels = np.arange(top + 1)
    low, high = (np.exp(-(((levels - at * top) / (0.25 * top)) ** 2)) for at in (0.3, 0.7))
    truth = np.stack((0.6 * low / low.sum(), 0.4 * high / high.sum()))
    scores = Channel((number.scores @ levels)[:, None], number.chances)
    drawn = samples(_yes_no(), scores, truth, n, repeats, seed=27)
    found = [cells_of_pairs(pairs).row_shares(Z) for pairs in drawn]
    mean = float(truth[1] @ levels / truth[1].sum())
    return float(np.mean([ratio.low[1, 0] <= mean <= ratio.high[1, 0] for ratio in found]))


def cover_of_answered_mean(
    epsilon: str, silent: tuple[float, float], n: int, repeats: int, seed: int
) -> Found:
    """Return the same for a number that can be declined, by people who say no or yes.

    Silence depends on the answer. Where no mean is given, no truth is excluded.
    """
    mechanism = best_sliding_window(10, Decimal(epsilon), 1)
    analysis, levels = SlidingWindowAnalysis(mechanism), np.arange(11)
    reports = analysis.reports()
    scores = np.column_stack((analysis.mean_scores(), analysis.answered_scores()))
    number = Channel(scores[list(reports)], analysis.report_chances(reports))
    shapes = [np.exp(-(((levels - at) / 2.5) ** 2)) for at in (3, 7)]
    truth = np.stack(
        [
            part * np.append((1 - quiet) * shape / shape.sum(), quiet)
            for part, quiet, shape in zip((0.6, 0.4), silent, shapes, strict=True)
        ]
    )
    drawn = samples(channel("rr", epsilon), number, truth, n, repeats, seed)
    found = [(each.low, each.high) for each, _ in (answered_means(pairs, Z) for pairs in drawn)]
    means = np.array([shape @ levels / shape.sum() for shape in shapes])
    low, high = (np.array([end[:, 0] for end in ends]) for ends in zip(*found, strict=True))
    unknown = np.isnan(low)
    held = unknown | ((low <= means) & (means <= high))
    parts = dict(zip(("no", "yes"), held.mean(axis=0).tolist(), strict=True))
    missing = " and ".join(f"{part:.3f}" for part in unknown.mean(axis=0).tolist())
    return Found(parts, f"no mean given in {missing}")


def _cross_tables(truth: Array, n: int, repeats: int) -> Iterator[tuple[Joint, ChiSquare]]:
    """Yield the tables of one `cross` question."""
    rows, columns = truth.shape
    mechanism = SubsetSelection.at(Decimal(1), options=truth.size, size=1)
    p, q = float(mechanism.p), float(mechanism.q)
    draw = np.random.default_rng(28)
    for counts in draw.multinomial(n, q + (p - q) * truth.ravel(), size=repeats):
        tally = Tally.of_cells(counts.tolist(), 1)
        estimates = choice_estimates(mechanism, tally)
        yield (
            joint_of_cells(estimates, rows, columns),
            independence_of_cells(estimates, rows, columns),
        )


def level_of_cross(rows: int, columns: int, n: int, repeats: int) -> float:
    drawn = _cross_tables(_independent(rows, columns), n, repeats)
    return _rejected(test for _, test in drawn)


def cover_of_cross_phi(n: int, repeats: int) -> float:
    truth = phi(exact_joint(RELATED), Z)
    assert truth is not None
    return _cover((phi(joint, Z) for joint, _ in _cross_tables(RELATED, n, repeats)), truth.value)


def cover_of_cross_share(n: int, repeats: int) -> float:
    truth = RELATED[1, 1] / RELATED[1].sum()
    found = [cells_of_joint(joint).row_shares(Z) for joint, _ in _cross_tables(RELATED, n, repeats)]
    return float(np.mean([r.low[1, 1] <= truth <= r.high[1, 1] for r in found]))


def cover_of_cross_cells(n: int, repeats: int) -> float:
    """Return how often the intervals of the cells of one `cross` question hold them."""
    tables = _cross_tables(RELATED, n, repeats)
    return float(np.mean([_held(cells_of_joint(joint), RELATED) for joint, _ in tables]))


def _private_boxes(both: float, n: int, repeats: int) -> Iterator[Joint]:
    """Yield the tables of two boxes of a private set; 60 % tick the first, 50 % the second."""
    analysis = PrivateSetAnalysis(PrivateSet.at(Decimal(2), options=6, at_most=3, size=3))
    reports = analysis.reports()
    parts = [([], both - 0.1), ([0], 0.6 - both), ([1], 0.5 - both), ([0, 1], both)]
    chances = [part * np.array(analysis.chances(reports, t), float) for t, part in parts]
    pair, boxes = analysis.pair_scores(reports, 0, 1), analysis.report_scores(reports)[:, [0, 1]]
    draw = np.random.default_rng(29)
    whole = np.sum(chances, axis=0)
    for counts in draw.multinomial(n, whole / whole.sum(), size=repeats):
        yield joint_of_boxes(counts.astype(float), pair, boxes)


def level_of_private_boxes(n: int, repeats: int) -> float:
    return _rejected(map(independence_of_joint, _private_boxes(0.3, n, repeats)))


def cover_of_private_phi(n: int, repeats: int) -> float:
    truth = phi(exact_joint(np.array([[0.3, 0.1], [0.2, 0.4]])), Z)
    assert truth is not None
    return _cover((phi(joint, Z) for joint in _private_boxes(0.4, n, repeats)), truth.value)


def level_of_boxes(n: int, repeats: int) -> float:
    """Return how often boxes that are always ticked together seem to depend on a question.

    Each report is about two of four boxes, so the boxes share reports.
    """
    analysis = SampledChecksAnalysis(SampledChecks.at(Decimal(6), options=4, asked=2))
    reports = analysis.reports()
    alike = [np.array(analysis.chances(reports, truth), float) for truth in ([], [0, 1, 2, 3])]
    boxes = Channel(analysis.report_scores(reports), np.stack(alike, axis=1))
    other = channel("ss", "2", options=3, size=1)
    drawn = samples(boxes, other, np.outer([0.4, 0.6], [0.5, 0.3, 0.2]), n, repeats, seed=30)
    return _rejected(map(independence_of_pairs, drawn))


LEVELS: dict[str, Measurement] = {
    "5 x 6 options in sets of 2, n 600": lambda repeats: level(
        _sets(5, 2), _sets(6, 2), 600, repeats
    ),
    "10 options in sets of 3 x yes/no, n 500": lambda repeats: level(
        _sets(10, 3), channel("rr", "1"), 500, repeats
    ),
    "4 x 3 options, n 300": lambda repeats: level(_sets(4, 1), _sets(3, 1), 300, repeats),
    "5 options by Hadamard response x 5 levels, n 600": lambda repeats: level(
        channel("hr", "1", options=5), channel("rt", "1", top=4), 600, repeats
    ),
    "one cross question, 2 x 2, n 600": lambda repeats: level_of_cross(2, 2, 600, repeats),
    "one cross question, 3 x 4, n 1,500": lambda repeats: level_of_cross(3, 4, 1500, repeats),
    "two boxes of a private set, n 1,500": lambda repeats: level_of_private_boxes(1500, repeats),
    "4 boxes ticked alike, 2 a report, n 800": lambda repeats: level_of_boxes(800, repeats),
}
COVERS: dict[str, Measurement] = {
    "cell: 3 x 3, eps 2 + 2, n 1,000": lambda repeats: cover_of_cells(1_000, repeats),
    "cell: boxes x yes/no, two boxes a report, eps 4 + 2, n 1,000": lambda repeats: (
        cover_of_box_cells(1_000, repeats)
    ),
    "cell of one cross question: 2 x 2, eps 1, n 500": lambda repeats: cover_of_cross_cells(
        500, repeats
    ),
    "share of a row: 3 x 3, eps 2 + 2, n 1,000": lambda repeats: cover_of_row_share(1_000, repeats),
    "share of a row of one cross question: eps 1, n 2,000": lambda repeats: cover_of_cross_share(
        2_000, repeats
    ),
    "mean by answer: 11 levels by thresholds, eps 2 + 2, n 2,000": lambda repeats: cover_of_mean(
        "rt", 2_000, repeats, top=10
    ),
    "mean by answer: 21 levels by a window, eps 2 + 2, n 2,000": lambda repeats: cover_of_mean(
        "isw", 2_000, repeats, top=20, width=8
    ),
    "phi: eps 2 + 2, n 500": lambda repeats: cover_of_phi(500, repeats),
    "phi: eps 2 + 2, n 10,000": lambda repeats: cover_of_phi(10_000, repeats),
    "phi of one cross question: eps 1, n 2,000": lambda repeats: cover_of_cross_phi(2_000, repeats),
    "phi of two boxes of a private set: eps 2, n 4,000": lambda repeats: cover_of_private_phi(
        4_000, repeats
    ),
    "log odds ratio: eps 2 + 2, n 1,000": lambda repeats: cover_of_odds(1_000, repeats),
    "log odds ratio: eps 2 + 2, n 10,000": lambda repeats: cover_of_odds(10_000, repeats),
    "V of 0.49: 3 x 3, eps 2 + 2, n 3,000": lambda repeats: cover_of_v(3_000, repeats),
}


# Epsilon of both questions, who is silent among those who say no and yes, and the reports.
ANSWERED: tuple[tuple[str, tuple[float, float], int], ...] = (
    ("1", (0.1, 0.4), 2_000),
    ("2", (0.1, 0.4), 300),
    ("2", (0.1, 0.4), 2_000),
    ("4", (0.02, 0.9), 300),
)


def _answered(place: int, epsilon: str, silent: tuple[float, float], n: int) -> Case:
    quiet = " and ".join(f"{100 * part:g} %" for part in silent)
    return Case(
        f"mean by answer, can be declined: {quiet} silent, eps {epsilon} + {epsilon}, n {n:,}",
        lambda samples: cover_of_answered_mean(epsilon, silent, n, samples, seed=330 + place),
    )


def _alone(measure: Measurement) -> Callable[[int], Found]:
    return lambda samples: Found({"": measure(samples)})


CASES = (
    *(Case(f"independence: {name}", _alone(one), goal=LEVEL) for name, one in LEVELS.items()),
    *(Case(name, _alone(one)) for name, one in COVERS.items()),
    *(_answered(place, *design) for place, design in enumerate(ANSWERED)),
)
