"""pure-ldp: a client object perturbs each person's answer, a server object counts it."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pure_ldp.frequency_oracles.direct_encoding import DEClient, DEServer
from pure_ldp.frequency_oracles.hadamard_response import (
    HadamardResponseClient,
    HadamardResponseServer,
)
from pure_ldp.frequency_oracles.hadamard_response.internal.k2k_hadamard import (
    Hadamard_Rand_high_priv,
)
from pure_ldp.frequency_oracles.unary_encoding import UEClient, UEServer

Answers = NDArray[np.int64]
Shares = NDArray[np.float64]
Run = Callable[[], Shares]

PACKAGE = "pure-ldp"
HOW = (
    "client and server objects, one call of each per person. "
    "Tuned: the class behind its Hadamard response, with the matrix and the fast transform"
)
CANNOT = "subset selection; drawing tallies without drawing reports"
# What its servers call normalization 0 to 3; the projection onto the simplex is Norm-Sub.
ESTIMATES = ("raw", "additive", "Norm-Sub", "threshold cut")


def direct_encoding(answers: Answers, options: int, epsilon: float) -> Run:
    items = (answers + 1).tolist()

    return lambda: collect(DEClient(epsilon, options), DEServer(epsilon, options), items, options)


def hadamard(answers: Answers, options: int, epsilon: float) -> Run:
    items = (answers + 1).tolist()

    def run() -> Shares:
        server = HadamardResponseServer(epsilon, options)
        client = HadamardResponseClient(epsilon, options, server.get_hash_funcs())
        return collect(client, server, items, options)

    return run


def hadamard_tuned(answers: Answers, options: int, epsilon: float) -> Run:
    both = Hadamard_Rand_high_priv(options, epsilon, encode_acc=1)
    items = answers.tolist()
    return lambda: both.decode_string(both.encode_string(items), iffast=1, normalization=-1)


def collect(client: Any, server: Any, items: Sequence[int], options: int) -> Shares:
    server.aggregate_all([client.privatise(item) for item in items])
    return shares_of(server, options, 0)


def shares_of(server: Any, options: int, normalization: int) -> Shares:
    domain = range(1, options + 1)
    totals = server.estimate_all(domain, suppress_warnings=True, normalization=normalization)
    shares: Shares = totals / server.n
    return shares


WAYS = {
    "yes/no": {"documented": direct_encoding},
    "k-ary randomized response": {"documented": direct_encoding},
    "Hadamard response": {"documented": hadamard, "tuned": hadamard_tuned},
}


def oue_estimates(answers: Answers, options: int, epsilon: float) -> dict[str, Shares]:
    client = UEClient(epsilon, options, use_oue=True)
    server = UEServer(epsilon, options, use_oue=True)
    server.aggregate_all([client.privatise(item) for item in (answers + 1).tolist()])
    return {
        name: shares_of(server, options, normalization)
        for normalization, name in enumerate(ESTIMATES)
    }


# The one with the least noise here, of all its oracles.
METHODS = {"optimal unary encoding": oue_estimates}
