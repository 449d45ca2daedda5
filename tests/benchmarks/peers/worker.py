"""Runs one peer: a line of JSON asks for work, a line of JSON answers.

It knows nothing of Candor, as it runs where Candor is not installed. The peer's module has
- PACKAGE, its name; HOW and CANNOT, what is measured and what there is no way to do;
- WAYS[work][variant](answers, options, epsilon): a function that does the work once, to shares;
- METHODS[method](answers, options, epsilon): shares by the kind of estimate.
"""

import json
import sys
import time
from functools import cache
from importlib import import_module
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray


@cache
def load(path: str) -> NDArray[Any]:
    """Read answers once, before anything is timed."""
    answers: NDArray[Any] = np.load(path)
    return answers.astype(np.int64)


def introduce(peer: dict[str, Any]) -> dict[str, Any]:
    """Return who the peer is and what it can do."""
    return {
        "package": peer["PACKAGE"],
        "version": version(peer["PACKAGE"]),
        "how": peer["HOW"],
        "cannot": peer["CANNOT"],
        "ways": {work: list(variants) for work, variants in peer["WAYS"].items()},
        "methods": list(peer["METHODS"]),
    }


def time_once(peer: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    """Perturb and estimate once; what a caller would prepare only once is not timed."""
    answers = load(request["data"])[: request["respondents"]]
    way = peer["WAYS"][request["work"]][request["variant"]]
    run = way(answers, request["options"], request["epsilon"])
    start = time.perf_counter()
    shares = run()
    return {"seconds": time.perf_counter() - start, "shares": np.asarray(shares).tolist()}


def estimate(peer: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    """Return all estimates that the peer makes from one sample's reports."""
    answers = load(request["data"])[request["sample"]]
    found = peer["METHODS"][request["method"]](answers, request["options"], request["epsilon"])
    return {"estimates": {name: np.asarray(shares).tolist() for name, shares in found.items()}}


REQUESTS = {"time": time_once, "estimate": estimate}


def main(name: str) -> None:
    answers = sys.stdout
    # What a package prints must not be mistaken for an answer.
    sys.stdout = sys.stderr
    peer = vars(import_module(name))
    print(json.dumps(introduce(peer)), file=answers, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = REQUESTS[request["request"]](peer, request)
        # Report a peer that fails, and go on.
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
