"""Thousands of mutated documents, and an oracle that notices a reader that lets too much pass."""

import json
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from tests.torture.bad_input import documents
from tests.torture.bad_input.attempts import attempt
from tests.torture.bad_input.oracles.document import check_document
from tests.torture.bad_input.verdicts import ACCEPTED
from tests.torture.row import Silent
from tests.vectors.document_kinds import SURVEYS
from tests.vectors.document_parts import canonical as written
from tests.vectors.generate import read


def test_thousands_of_mutated_documents_are_refused_or_sound() -> None:
    outcome = documents.run(2000, 1, Silent())
    assert outcome.met, outcome.reason


def test_the_changes_reach_many_rules() -> None:
    tally = attempt(documents.documents, 1000, 2, Silent())
    assert len(tally.verdicts) > 30
    assert tally.verdicts[ACCEPTED] > 50


def test_the_oracle_takes_every_good_vector() -> None:
    for vector in (
        vector for name in ("documents", "texts", "orders") for vector in read(f"{name}.jsonl")
    ):
        if "fingerprint" in vector:
            check_document(vector["text"].encode())


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "another key": lambda tree: tree.update(extra=1),
    "a threshold that leaks": lambda tree: tree["questions"][0]["mechanism"].update(
        threshold=3139872687
    ),
    "a threshold that wastes": lambda tree: tree["questions"][0]["mechanism"].update(
        threshold=3137000000
    ),
    "a total that is too small": lambda tree: tree.update(total_epsilon="5"),
    "a title with a control character": lambda tree: tree.update(title="a\x00"),
    "a boolean for a number": lambda tree: tree.update(version=True),
    "a repeated label": lambda tree: tree["questions"][1].update(options=list("aabcd")),
    "a mechanism for another list": lambda tree: tree["questions"][1]["mechanism"].update(
        options=6
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_the_oracle_sees(name: str) -> None:
    tree = json.loads(written(SURVEYS["all_mechanisms"]))
    check_document(written(tree))
    CHANGES[name](tree)
    with pytest.raises(AssertionError):
        check_document(written(tree))


@pytest.mark.parametrize(
    ("rule", "lenient"),
    [
        ("client.core.primitives.channel.check_threshold", lambda *_: None),
        ("client.core.primitives.channel.parse_epsilon", Decimal),
        ("client.core.primitives.values.CONTROL", re.compile("(?!)")),
    ],
)
def test_a_reader_without_one_of_its_rules_is_found_out(
    rule: str, lenient: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rule, lenient)
    outcome = documents.run(1000, 3, Silent())
    assert not outcome.met
    assert outcome.reason
