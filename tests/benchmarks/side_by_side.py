"""The same work on the same answers by Candor and by every peer, in turns within one run."""

import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from estimators.simulation.kernels.samplers import Answers
from estimators.simulation.kernels.source import stream
from tests.benchmarks import own_side
from tests.benchmarks.own_side import Shares
from tests.benchmarks.peer_process import PeerFailed, PeerProcess, peer
from tests.benchmarks.works import EPSILON, Work, draw_truths, true_shares

CANDOR, TEXTBOOK = "Candor", "textbook numpy"
DOCUMENTED, TUNED = "documented", "tuned"
# The peers get at most this many answers; for Candor they are repeated.
PEER_ANSWERS = 2**21
OWN_ANSWERS = 2**27
# Work that is done once for all respondents should not affect the rate.
LEAST = 10_000
SEED = 20_064


@dataclass(frozen=True)
class Runner:
    """Does one work for the first n respondents, and returns how long it took."""

    who: str
    variant: str
    most: int
    run: Callable[[int], tuple[float, Shares]]


@dataclass(frozen=True)
class Scale:
    """How long a measurement should take, how often it is repeated, and for how many at most."""

    seconds: float
    rounds: int
    own_answers: int = OWN_ANSWERS
    peer_answers: int = PEER_ANSWERS


def measure(
    works: Sequence[Work],
    modules: Sequence[str],
    scale: Scale,
    progress: Callable[[str], object] = lambda text: None,
) -> dict[str, Any]:
    """Return for each work the respondents per second of every runner, round by round."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        peers = [stack.enter_context(peer(module)) for module in modules]
        rows = []
        for work in works:
            progress(f"{work.name}, {work.options} options")
            rows.append(_measure(work, peers, folder, scale))
        return {"works": rows, "peers": [peer.introduction for peer in peers]}


def _measure(
    work: Work, peers: Sequence[PeerProcess], folder: Path, scale: Scale
) -> dict[str, Any]:
    answers = draw_truths(work.mechanism, scale.peer_answers, SEED, work.options)
    runners = [
        *_own_runners(work, np.resize(answers, scale.own_answers)),
        *_peer_runners(work, answers, peers, folder),
    ]
    sizes: dict[Runner, int] = {}
    failures = []
    for runner in runners:
        try:
            sizes[runner] = _fitting_size(runner, scale.seconds)
        except PeerFailed as failure:
            failures.append(str(failure))
    rates: dict[Runner, list[float]] = {runner: [] for runner in sizes}
    for _ in range(scale.rounds):
        for runner, n in sizes.items():
            seconds, shares = runner.run(n)
            check(work, true_shares(answers, work.options, n), shares, n, runner.who)
            rates[runner].append(n / seconds)
    return {
        "name": work.name,
        "options": work.options,
        "goal": work.goal and {"rate": work.goal.rate, "ratio": work.goal.ratio},
        "failures": failures,
        "runners": [
            {"who": runner.who, "variant": runner.variant, "n": sizes[runner], "rates": found}
            for runner, found in rates.items()
        ],
    }


def check(work: Work, truth: Shares, shares: Shares, n: int, who: str) -> None:
    """Raise unless the estimates are near the truth: fast and wrong does not count.

    They must lie within six standard errors of the noisiest option. A peer that clips and rescales
    may also shrink a share by what the noise of all options adds to the sum.
    """
    p, q = float(work.mechanism.p), float(work.mechanism.q)
    error = (max(p * (1 - p), q * (1 - q)) / n) ** 0.5 / (p - q)
    allowed = 6 * error + work.options * error * truth
    assert shares.shape == truth.shape, who
    assert (np.abs(shares - truth) <= allowed).all(), f"{who}, {work.name}, {work.options} options"


def _fitting_size(runner: Runner, seconds: float) -> int:
    """Return how many respondents make a run of about this length, but not too few to be fair."""
    n = min(LEAST, runner.most)
    runner.run(n // 10)  # A first run, so that everything is compiled.
    while n < runner.most and (taken := runner.run(n)[0]) < seconds / 2:
        n = min(runner.most, int(n * min(20.0, max(2.0, seconds / taken))))
    return n


def _own_runners(work: Work, answers: Answers) -> list[Runner]:
    source = stream(SEED)

    def own(n: int) -> tuple[float, Shares]:
        start = time.perf_counter()
        shares = own_side.estimates(work.mechanism, answers[:n], SEED).shares
        return time.perf_counter() - start, shares

    def textbook(n: int) -> tuple[float, Shares]:
        start = time.perf_counter()
        shares = own_side.textbook_shares(work.mechanism, answers[:n], source)
        assert shares is not None
        return time.perf_counter() - start, shares

    runners = [Runner(CANDOR, DOCUMENTED, len(answers), own)]
    if own_side.textbook_shares(work.mechanism, answers[:10], source) is not None:
        runners.append(Runner(TEXTBOOK, DOCUMENTED, len(answers) // 16, textbook))
    return runners


def _peer_runners(
    work: Work, answers: Answers, peers: Sequence[PeerProcess], folder: Path
) -> list[Runner]:
    path = folder / f"answers-of-{work.options}.npy"
    np.save(path, answers)

    def run(peer: PeerProcess, variant: str, n: int) -> tuple[float, Shares]:
        answer = peer.ask(
            request="time",
            work=work.name,
            variant=variant,
            data=str(path),
            options=work.options,
            epsilon=float(EPSILON),
            respondents=n,
        )
        return answer["seconds"], np.array(answer["shares"])

    return [
        Runner(peer.package, variant, len(answers), partial(run, peer, variant))
        for peer in peers
        for variant in peer.introduction["ways"].get(work.name, ())
    ]
