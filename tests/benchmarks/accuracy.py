"""Mean squared error over all options, compared with the peers' and with the theory's."""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from client.authoring.draft.mechanism_choice import noise_per_respondent
from client.core.mechanisms import SubsetSelection
from estimators.shares.shares import ShareEstimates
from estimators.simulation.kernels.samplers import Answers
from tests.benchmarks.own_side import Shares, estimates
from tests.benchmarks.peer_process import PeerProcess, peer
from tests.benchmarks.side_by_side import CANDOR
from tests.benchmarks.works import EPSILON, Work, draw_truths, true_shares

RESPONDENTS = 100_000
SEED = 20_065
RAW, NORM_SUB = "raw", "Norm-Sub"
# The kinds of estimates that a user can want, by their names in a table.
KINDS: dict[str, Callable[[ShareEstimates], Shares]] = {
    RAW: lambda found: found.shares,
    NORM_SUB: lambda found: found.possible_shares,
}
# How far the raw error may be from the optimum.
RAW_GOAL = 0.03
# The error of one run and one kind of estimate: who, method, kind, mean squared error.
Error = tuple[str, str, str, float]


@dataclass(frozen=True)
class Runs:
    """How many samples of how many respondents; peers get the first ones only, Candor gets all."""

    own: int
    peers: int
    respondents: int = RESPONDENTS


def measure(
    works: Sequence[Work],
    modules: Sequence[str],
    runs: Sequence[Runs],
    progress: Callable[[str], object] = lambda text: None,
) -> list[dict[str, Any]]:
    """Return for each work everybody's estimates, with the Monte Carlo error of the error."""
    rows = []
    for work, count in zip(works, runs, strict=True):
        progress(f"accuracy, {work.options} options")
        errors = [*_own_errors(work, count), *_peers_errors(work, modules, count)]
        rows.append(
            {
                "options": work.options,
                "respondents": count.respondents,
                "optimum": optimum(work, count.respondents),
                "raw_goal": RAW_GOAL,
                "rows": list(summarized(errors)),
            }
        )
    return rows


def optimum(work: Work, n: int) -> float:
    """Return the mean squared error of the raw estimate: exactly V / n for any truth (math 0.5)."""
    assert isinstance(work.mechanism, SubsetSelection)
    return noise_per_respondent(work.mechanism) / n


def sample(work: Work, n: int, run: int) -> Answers:
    return draw_truths(work.mechanism, n, SEED, work.options, run)


def squared_error(shares: Shares, answers: Answers) -> float:
    return float(np.mean((shares - true_shares(answers, len(shares), len(answers))) ** 2))


def own_errors_of_run(work: Work, n: int, run: int) -> list[Error]:
    answers = sample(work, n, run)
    found = estimates(work.mechanism, answers, SEED + run, jobs=1)
    return [
        (CANDOR, work.name, kind, squared_error(shares(found), answers))
        for kind, shares in KINDS.items()
    ]


def _own_errors(work: Work, runs: Runs) -> Iterator[Error]:
    with ThreadPoolExecutor() as pool:
        parts = pool.map(
            lambda run: own_errors_of_run(work, runs.respondents, run), range(runs.own)
        )
        for part in parts:
            yield from part


def _peers_errors(work: Work, modules: Sequence[str], runs: Runs) -> list[Error]:
    """Measure with two processes of every peer, which share the samples: nothing is timed."""
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(2) as pool:
        answers = np.stack([sample(work, runs.respondents, run) for run in range(runs.peers)])
        path = Path(name) / "answers.npy"
        np.save(path, answers)
        halves = [range(first, runs.peers, 2) for first in (0, 1)]
        parts = pool.map(lambda half: _peers_half(work, modules, path, answers, half), halves)
        return [error for part in parts for error in part]


def _peers_half(
    work: Work, modules: Sequence[str], path: Path, answers: NDArray[Any], half: Iterable[int]
) -> list[Error]:
    with ExitStack() as stack:
        peers = [stack.enter_context(peer(module)) for module in modules]
        return [
            error
            for run in half
            for process in peers
            for method in process.introduction["methods"]
            for error in _peer_errors(work, process, method, path, answers, run)
        ]


def _peer_errors(
    work: Work, process: PeerProcess, method: str, path: Path, answers: NDArray[Any], run: int
) -> list[Error]:
    found = process.ask(
        request="estimate",
        method=method,
        data=str(path),
        sample=run,
        options=work.options,
        epsilon=float(EPSILON),
    )
    return [
        (process.package, method, kind, squared_error(np.array(shares), answers[run]))
        for kind, shares in found["estimates"].items()
    ]


def summarized(errors: Iterable[Error]) -> Iterator[dict[str, Any]]:
    """Return mean and standard error over the runs, in the order of appearance."""
    grouped: dict[tuple[str, str, str], list[float]] = {}
    for who, method, kind, error in errors:
        grouped.setdefault((who, method, kind), []).append(error)
    for (who, method, kind), found in grouped.items():
        yield {
            "who": who,
            "method": method,
            "estimate": kind,
            "runs": len(found),
            "mean": float(np.mean(found)),
            "error": float(np.std(found, ddof=1) / len(found) ** 0.5),
        }
