"""Bulk randomization is true to the exact channel and reproducible, in bounded memory."""

import json
import tracemalloc
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from scipy import stats

from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomizedResponse,
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    SubsetSelection,
    TwoLevel,
)
from client.core.primitives.domain import Checks, Choice
from client.core.primitives.refusal import Refusal
from estimators.audit.audit import audited_answers
from estimators.simulation.kernels import samplers, source
from tests.support.bulk import EVERY_SHAPE, bulk_answers
from tests.support.exact_channel import answers_of, channel_of

# The chance that a test which samples fails although the simulator is correct.
FALSE_ALARM = 1e-6
ONE = Decimal(1)
LARGE_SHAPES: list[TwoLevel] = [
    RandomizedResponse.at(ONE),
    SubsetSelection.at(ONE, options=16, size=1),
    SubsetSelection.at(ONE, options=16, size=4),
    SubsetSelection.at(ONE, options=128, size=34),
    SubsetSelection.at(ONE, options=300, size=1),
    SubsetSelection.at(ONE, options=300, size=80),
    HadamardResponse.at(ONE, options=256),
    HadamardResponse.at(ONE, options=1024),
    SampledChecks.at(ONE, options=200, asked=3),
    PrivateSet.at(ONE, options=40, at_most=4, size=5),
    RandomThreshold.at(ONE, top=1000),
    SlidingWindow.at(ONE, top=1000, width=300),
]


def mixed_answers(mechanism: TwoLevel, n: int) -> Any:
    """Return all kinds of answers."""
    randomness = source.stream(8)
    domain = mechanism.domain
    if isinstance(domain, Checks):
        ticked = randomness.random((n, domain.options)) < 0.3
        return ticked & (np.cumsum(ticked, axis=1) <= domain.at_most)
    count = domain.options if isinstance(domain, Choice) else domain.top + 1
    return randomness.integers(count, size=n)


@pytest.mark.parametrize("mechanism", EVERY_SHAPE, ids=str)
def test_a_bulk_sampler_follows_the_exact_channel_of_the_shipped_one(mechanism: TwoLevel) -> None:
    """Chi-square with a fixed seed, for every answer, on reports as the wire carries them."""
    randomness = source.stream(3)
    for answer in answers_of(mechanism.domain):
        channel = channel_of(mechanism, answer)
        n = 1000 * len(channel)
        cells = samplers.randomize(mechanism, bulk_answers(mechanism, answer, n), randomness)
        found = Counter(json.dumps(report) for report in samplers.wire(mechanism, cells).tolist())
        assert set(found) <= set(channel)
        counts = [found[text] for text in channel]
        expected = [float(n * chance) for chance in channel.values()]
        assert stats.chisquare(counts, expected).pvalue > FALSE_ALARM


@pytest.mark.parametrize("mechanism", EVERY_SHAPE, ids=str)
def test_the_cells_are_those_of_the_reports(mechanism: TwoLevel) -> None:
    answer = answers_of(mechanism.domain)[-1]
    cells = samplers.randomize(mechanism, bulk_answers(mechanism, answer, 50), source.stream(1))
    assert cells.shape == (50, mechanism.marks)
    for row, report in zip(
        np.sort(cells, axis=1).tolist(), samplers.wire(mechanism, cells).tolist(), strict=True
    ):
        mechanism.check(report, "report")
        assert mechanism.cells_of(report) == row


@pytest.mark.parametrize("mechanism", [*EVERY_SHAPE, *LARGE_SHAPES], ids=str)
def test_a_tally_counts_just_the_reports_that_the_same_stream_would_draw(
    mechanism: TwoLevel, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = 1000 * samplers.numbers_per_respondent(mechanism)
    monkeypatch.setattr(samplers, "BLOCK_NUMBERS", numbers)
    answers = mixed_answers(mechanism, 4001)
    reports = samplers.randomize(mechanism, answers, source.stream(1))
    tally = samplers.draw_tally(mechanism, answers, source.stream(1))
    assert tally.dtype == np.int64
    assert tally.tolist() == np.bincount(reports.ravel(), minlength=mechanism.cells).tolist()
    assert tally.tolist() != samplers.draw_tally(mechanism, answers, source.stream(2)).tolist()


@pytest.mark.parametrize("mechanism", [*EVERY_SHAPE, *LARGE_SHAPES], ids=str)
def test_the_type_of_the_answers_changes_nothing(mechanism: TwoLevel) -> None:
    answers = mixed_answers(mechanism, 2000)
    if answers.ndim == 2:
        others = [np.asfortranarray(answers), np.repeat(answers, 2, axis=0)[::2]]
    else:
        widths = [np.int16, np.uint32, np.int64]
        others = [*map(answers.astype, widths), np.repeat(answers, 2)[::2]]
    narrow = answers.astype(samplers.answer_dtype(mechanism))
    expected = samplers.draw_tally(mechanism, narrow, source.stream(1)).tolist()
    for other in others:
        assert samplers.draw_tally(mechanism, other, source.stream(1)).tolist() == expected


@pytest.mark.parametrize("mechanism", LARGE_SHAPES, ids=str)
def test_nobody_gives_an_empty_tally(mechanism: TwoLevel) -> None:
    nobody = mixed_answers(mechanism, 1)[:0]
    assert samplers.draw_tally(mechanism, nobody, source.stream(1)).tolist() == (
        [0] * mechanism.cells
    )
    assert samplers.randomize(mechanism, nobody, source.stream(1)).shape == (0, mechanism.marks)


@pytest.mark.parametrize("mechanism", LARGE_SHAPES, ids=str)
def test_threads_with_streams_of_their_own_do_not_disturb_each_other(mechanism: TwoLevel) -> None:
    answers = mixed_answers(mechanism, 20_000)

    def tally(part: int) -> bytes:
        return samplers.draw_tally(mechanism, answers, source.stream(1, part)).tobytes()

    alone = [tally(part) for part in range(8)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(tally, range(8))) == alone


@pytest.mark.parametrize("mechanism", LARGE_SHAPES, ids=str)
def test_memory_is_bounded_whatever_the_number_of_answers(mechanism: TwoLevel) -> None:
    some = mixed_answers(mechanism, 2**10).astype(samplers.answer_dtype(mechanism))
    n = 8 * source.BLOCK_NUMBERS // samplers.numbers_per_respondent(mechanism)
    answers = np.resize(some, (n, *some.shape[1:]))
    tracemalloc.start()
    try:
        samplers.draw_tally(mechanism, answers, source.stream(1))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2**25


@pytest.mark.parametrize("mechanism", [m for m in LARGE_SHAPES if m.marks == 1], ids=str)
def test_a_large_tally_follows_the_channel(mechanism: TwoLevel) -> None:
    """Chi-square over all cells, for the extreme answers and one between them."""
    n = 200 * mechanism.cells
    reports = samplers.wire(mechanism, np.arange(mechanism.cells)[:, np.newaxis]).tolist()
    for answer in audited_answers(mechanism):
        near = np.array([mechanism.near_draws(answer, report) == 1 for report in reports])
        keep = float(mechanism.keep)
        expected = n * np.where(near, keep / near.sum(), (1 - keep) / (~near).sum())
        answers = bulk_answers(mechanism, answer, n)
        tally = samplers.draw_tally(mechanism, answers, source.stream(4, answer))
        assert stats.chisquare(tally, expected).pvalue > FALSE_ALARM


@pytest.mark.parametrize(("options", "size"), [(128, 34), (300, 80), (1024, 20), (64, 60)])
def test_options_and_pairs_of_options_come_in_large_sets_as_often_as_they_should(
    options: int, size: int
) -> None:
    """The moments of math 2.1, binomial for every option and every pair, with Bonferroni."""
    m = SubsetSelection.at(ONE, options=options, size=size)
    truth, n = options // 3, 20_000
    reports = samplers.randomize(m, np.full(n, truth), source.stream(6))
    held = np.zeros((n, options), dtype=np.float32)
    np.put_along_axis(held, reports, 1, axis=1)
    found = np.rint(held.T @ held).astype(np.int64)
    p, others = float(m.p), options - 1
    chances = np.full(
        (options, options),
        (p * (size - 1) * (size - 2) + (1 - p) * size * (size - 1)) / (others * (others - 1)),
    )
    chances[truth] = chances[:, truth] = p * (size - 1) / others
    np.fill_diagonal(chances, float(m.q))
    chances[truth, truth] = p
    tails = np.minimum(stats.binom.cdf(found, n, chances), stats.binom.sf(found - 1, n, chances))
    assert tails.min() > FALSE_ALARM / (2 * options**2)


def test_streams_with_different_paths_differ_and_each_can_be_drawn_again() -> None:
    paths = [(), (0,), (1,), (0, 0), (0, 1), (1, 0)]
    words = [int(source.stream(1, *path).integers(2**63)) for path in paths]
    assert len(set(words)) == len(paths)
    assert words == [int(source.stream(1, *path).integers(2**63)) for path in paths]


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, True])
def test_a_seed_that_is_none_is_refused(seed: int) -> None:
    with pytest.raises(Refusal, match="seed must be an integer"):
        source.stream(seed)


@pytest.mark.parametrize("n", [0, -1, 2.5, float("nan"), float("inf"), True, 10**11])
def test_a_number_of_respondents_that_is_none_is_refused(n: int) -> None:
    with pytest.raises(Refusal, match="respondents must be an integer from 1"):
        source.check_respondents(n)
