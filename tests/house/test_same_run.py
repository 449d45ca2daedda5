"""A run tries the same as every other run: what fails, fails for everybody.

`make torture` draws a new seed each time; the tests run its rows with seeds of their own.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import settings

from client.core.primitives.words import SecureWords

TESTS = Path(__file__).parent.parent
# Not run by `make test`.
MEASURED = ("benchmarks", "torture/__main__.py")
GENERATORS = {"Random", "default_rng", "PCG64", "SFC64", "Philox", "RandomState"}


def test_hypothesis_tries_the_same_examples_and_remembers_none() -> None:
    chosen = settings()
    assert (chosen.derandomize, chosen.database, chosen.deadline) == (True, None, None)


def test_a_test_can_have_the_same_words_in_every_run(
    same_words: None, request: pytest.FixtureRequest
) -> None:
    own = Random(request.node.nodeid)
    assert [SecureWords().word() for _ in range(9)] == [own.getrandbits(32) for _ in range(9)]


@pytest.mark.parametrize(
    "path", sorted(TESTS.rglob("*.py")), ids=lambda path: str(path.relative_to(TESTS))
)
def test_every_generator_of_a_test_has_a_seed(path: Path) -> None:
    if not str(path.relative_to(TESTS)).startswith(MEASURED):
        assert list(without_seed(ast.parse(path.read_text()))) == []


def test_what_has_no_seed_is_found() -> None:
    source = """
import random
import numpy as np
from random import Random, shuffle
a, b = random.Random(), Random(None)
c, d = np.random.default_rng(), np.random.Generator(np.random.PCG64())
e, f = random.random(), np.random.normal(0, 1)
good = random.Random(1), np.random.Generator(np.random.SFC64(seed)), np.random.default_rng([1, 2])
"""
    assert set(without_seed(ast.parse(source))) == {
        "from random import shuffle",
        "random.Random()",
        "Random(None)",
        "np.random.default_rng()",
        "np.random.PCG64()",
        "random.random()",
        "np.random.normal(0, 1)",
    }


def without_seed(tree: ast.AST) -> Iterator[str]:
    """Yield what draws from a generator that nobody seeded."""
    nodes = list(ast.walk(tree))
    # A function may call its own generator `random`.
    own = {node.arg for node in nodes if isinstance(node, ast.arg)}
    own |= {node.id for node in nodes if isinstance(node, ast.Name) and _is_set(node)}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module == "random":
            names = [alias.name for alias in node.names if alias.name != "Random"]
            yield from (f"from random import {name}" for name in names)
        if not isinstance(node, ast.Call):
            continue
        place, _, name = ast.unparse(node.func).rpartition(".")
        if name in GENERATORS:
            if not node.args or ast.unparse(node.args[0]) == "None":
                yield ast.unparse(node)
        elif place in {"random", "np.random"} - own and name != "Generator":
            yield ast.unparse(node)


def _is_set(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)
