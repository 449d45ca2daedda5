"""The tests of a question over all groups at once, and Holm's adjustment for many tests."""

from collections.abc import Sequence

import numpy as np

from estimators.compare.figures import MEAN, Figure, Figures
from estimators.compare.means import welch_f
from estimators.compare.omnibus import chi_square, filled_bins, pearson, shares_together
from estimators.compare.result import JointTest
from estimators.compare.samples import Outcome, Sample, ShareSample
from estimators.compare.two_shares import LEAST_EXPECTED

ALL_OPTIONS, SHAPE = "all options", "shape"


def joint_tests(
    figures: Figures, chosen: Sequence[Figure], samples: Sequence[Sequence[Sample]]
) -> list[JointTest]:
    """Return the tests over all groups at once; none that would repeat a single difference."""
    found: list[tuple[str, Outcome]] = []
    several = len(figures.groups) > 2
    if len(chosen) > 1 and figures.covariance is not None:
        found.append((ALL_OPTIONS, _options_test(figures)))
    elif several:
        for figure, own in zip(chosen, samples, strict=True):
            found.append((figure.label or MEAN, _together(own)))
    if figures.ordered is not None:
        found.append((SHAPE, pearson(filled_bins(figures.ordered))))
    adjusted = holm([test.p_value for _, test in found])
    return [JointTest(about, test, p) for (about, test), p in zip(found, adjusted, strict=True)]


def _options_test(figures: Figures) -> Outcome:
    assert figures.covariance is not None
    sizes = figures.sizes.astype(np.float64)
    values = np.array([figure.counts @ figure.scores / sizes for figure in figures.figures]).T
    supported = np.array(
        [figure.counts[:, figure.scores > 0.5].sum() for figure in figures.figures]
    )
    least = float(sizes.min() * np.minimum(supported, sizes.sum() - supported).min() / sizes.sum())
    return chi_square(values, sizes, figures.covariance, least < LEAST_EXPECTED)


def _together(samples: Sequence[Sample]) -> Outcome:
    shares = [sample for sample in samples if isinstance(sample, ShareSample)]
    return shares_together(shares) if len(shares) == len(samples) else welch_f(samples)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for all of them by Holm's steps, in the given order."""
    order = np.argsort(p_values, kind="stable")
    steps = np.array(p_values)[order] * np.arange(len(p_values), 0, -1)
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted.tolist()
