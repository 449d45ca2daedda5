"""OpenDP: one call of a measurement for each person, in Rust with secure randomness."""

import math
from collections.abc import Callable

import numpy as np
import opendp.prelude as dp
from numpy.typing import NDArray

Answers = NDArray[np.int64]
Shares = NDArray[np.float64]
Run = Callable[[], Shares]
# Its randomized response is behind this flag.
dp.enable_features("contrib")

PACKAGE = "opendp"
HOW = (
    "one call of a randomized-response measurement per person; the caller estimates. "
    "Tuned: all bits as one bit vector, in one call"
)
CANNOT = (
    "subset selection; Hadamard response; estimates, except from bit vectors; "
    "drawing tallies without drawing reports. It is the only peer that draws from a secure "
    "source, as Candor's client does; Candor's simulator does not"
)


def yes_no(answers: Answers, options: int, epsilon: float) -> Run:
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))
    measure = dp.m.make_randomized_response_bool(keep)
    people = (answers == 1).tolist()

    def run() -> Shares:
        yes = sum([measure(person) for person in people])
        return debiased(np.array([len(people) - yes, yes]), keep, 1 - keep)

    return run


def yes_no_tuned(answers: Answers, options: int, epsilon: float) -> Run:
    n, keep = len(answers), math.exp(epsilon) / (1 + math.exp(epsilon))
    people = dp.bitvector_domain(max_weight=n)
    # A bit is replaced by a coin with probability f, so it is flipped with probability f / 2.
    measure = dp.m.make_randomized_response_bitvec(people, dp.discrete_distance(), 2 * (1 - keep))
    bits = np.packbits(answers == 1).tobytes()

    def run() -> Shares:
        reports = np.unpackbits(np.frombuffer(measure(bits), dtype=np.uint8), count=n)
        yes = int(np.count_nonzero(reports))
        return debiased(np.array([n - yes, yes]), keep, 1 - keep)

    return run


def k_ary(answers: Answers, options: int, epsilon: float) -> Run:
    p = math.exp(epsilon) / (math.exp(epsilon) + options - 1)
    measure = dp.m.make_randomized_response(list(range(options)), p)
    people = answers.tolist()

    def run() -> Shares:
        counts = np.bincount([measure(person) for person in people], minlength=options)
        return debiased(counts, p, (1 - p) / (options - 1))

    return run


def debiased(counts: NDArray[np.int64], p: float, q: float) -> Shares:
    shares: Shares = (counts / counts.sum() - q) / (p - q)
    return shares


WAYS = {
    "yes/no": {"documented": yes_no, "tuned": yes_no_tuned},
    "k-ary randomized response": {"documented": k_ary},
}
# Its bit vectors would give symmetric unary encoding, at a few thousand people per second.
METHODS: dict[str, object] = {}
