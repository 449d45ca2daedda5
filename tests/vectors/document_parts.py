"""The plain document, and the small changes from which the document vectors are made."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

Tree = dict[str, Any]
Change = Callable[[Tree], object]

QUESTION: Tree = {
    "id": "q1",
    "kind": "yes_no",
    "prompt": "Have you ever?",
    "options": ["No", "Yes"],
    "epsilon": "1",
    "mechanism": {"name": "rr", "threshold": 3139872686},
}
DOCUMENT: Tree = {
    "candor": 1,
    "slug": "a-survey",
    "version": 1,
    "title": "A survey",
    "intro": "",
    "organizer": "",
    "delete_on": "",
    "questions": [QUESTION],
    "total_epsilon": "1",
}


def canonical(tree: Tree) -> bytes:
    """Spelled out here, so that the vectors do not lean on the code that they test."""
    text = json.dumps(tree, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", errors="surrogatepass")


def changed(change: Change) -> bytes:
    """The canonical bytes of the plain document after one change."""
    tree = deepcopy(DOCUMENT)
    change(tree)
    return canonical(tree)


def setting(field: str, value: object) -> Change:
    return lambda tree: tree.__setitem__(field, value)


def asking(field: str, value: object) -> Change:
    """A change to the first question."""
    return lambda tree: tree["questions"][0].__setitem__(field, value)


def thresholding(value: object) -> Change:
    return lambda tree: tree["questions"][0]["mechanism"].__setitem__("threshold", value)


def without(field: str) -> Change:
    return lambda tree: tree.pop(field)


def asking_without(field: str) -> Change:
    return lambda tree: tree["questions"][0].pop(field)


def ask(tree: Tree, id: str, epsilon: str, threshold: int, total: str) -> Tree:
    """Add a question and set the total."""
    question = deepcopy(QUESTION)
    question.update(id=id, epsilon=epsilon, mechanism={"name": "rr", "threshold": threshold})
    tree["questions"].append(question)
    tree["total_epsilon"] = total
    return tree


def at(epsilon: str, threshold: int) -> Change:
    """One question at another epsilon."""
    return lambda tree: (
        asking("epsilon", epsilon)(tree),
        thresholding(threshold)(tree),
        setting("total_epsilon", epsilon)(tree),
    )
