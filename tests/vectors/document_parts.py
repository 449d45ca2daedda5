"""The plain document, one question of every kind, and the small changes that make vectors."""

import json
from collections.abc import Callable
from copy import deepcopy
from decimal import Decimal
from hashlib import sha512
from typing import Any

from client.core.mechanisms import MECHANISMS
from client.core.primitives.values import decimal_text

Tree = dict[str, Any]
Change = Callable[[Tree], object]

SILENT: Tree = {"decline": "", "not_applicable": ""}
QUESTION: Tree = {
    "id": "q1",
    "kind": "yes_no",
    "prompt": "Have you ever?",
    "options": ["No", "Yes"],
    **SILENT,
    "epsilon": "1",
    "mechanism": {"name": "rr", "threshold": 3139872686},
    "show_if": None,
}
# Odd numbers of 2048 bits; no document needs their factors.
TICKET_KEYS = [f"c{sha512(b'key %d' % number).hexdigest()}{'0' * 382}1" for number in range(50)]
DOCUMENT: Tree = {
    "candor": 3,
    "slug": "a-survey",
    "version": 1,
    "title": "A survey",
    "intro": "",
    "organizer": "",
    "delete_on": "",
    "ask_each_person": 0,
    "access": "open",
    "questions": [QUESTION],
    "total_epsilon": "1",
}


def mechanism(name: str, epsilon: str, **shape: int) -> Tree:
    threshold = MECHANISMS[name].at(Decimal(epsilon), **shape).threshold
    return {"name": name, "threshold": threshold, **shape}


def labels(count: int) -> list[str]:
    return [f"L{number}" for number in range(count)]


def question(id: str, kind: str, epsilon: str, protected_by: Tree, **fields: Any) -> Tree:
    """A question of any kind; every field that a kind has must be given."""
    return {
        "id": id,
        "kind": kind,
        "prompt": f"Question {id}?",
        "epsilon": epsilon,
        "mechanism": protected_by,
        "show_if": None,
        **SILENT,
        **fields,
    }


def one_of(id: str, options: list[str], epsilon: str, protected_by: Tree, **fields: Any) -> Tree:
    return question(id, "one_of", epsilon, protected_by, options=options, **fields)


def any_of(id: str, options: int, at_most: int, epsilon: str, protected_by: Tree) -> Tree:
    boxes = labels(options)
    return question(id, "any_of", epsilon, protected_by, options=boxes, at_most=at_most)


def scale(id: str, goal: str, epsilon: str, protected_by: Tree, **fields: Any) -> Tree:
    ends = {"lo": 0, "hi": 10, "lo_label": "none", "hi_label": "full", "goal": goal}
    return question(id, "scale", epsilon, protected_by, **(ends | fields))


def number(id: str, goal: str, epsilon: str, protected_by: Tree, **fields: Any) -> Tree:
    grid = {"lo": "0", "hi": "60", "step": "1", "unit": "", "goal": goal}
    return question(id, "number", epsilon, protected_by, **(grid | fields))


def cross(id: str, epsilon: str, protected_by: Tree, **fields: Any) -> Tree:
    sides = {
        "row_prompt": "First?",
        "rows": ["No", "Yes"],
        "column_prompt": "Second?",
        "columns": ["Never", "Once", "Often"],
    }
    return question(id, "cross", epsilon, protected_by, **(sides | fields))


# One question for every mechanism, and every kind among them.
BY_MECHANISM: dict[str, Tree] = {
    "rr": QUESTION,
    "ss": one_of("colour", labels(5), "0.5", mechanism("ss", "0.5", options=5, size=2)),
    "hr": one_of("name", labels(100), "0.1", mechanism("hr", "0.1", options=100)),
    "smp": any_of("any", 8, 0, "1", mechanism("smp", "1", options=8, asked=1)),
    "privset": any_of("few", 12, 3, "1", mechanism("privset", "1", options=12, at_most=3, size=2)),
    "rt": scale("trust", "mean", "0.5", mechanism("rt", "0.5", top=10)),
    "isw": number("drinks", "distribution", "2", mechanism("isw", "2", top=60, width=30)),
}


def asked(*questions: Tree, **fields: Any) -> Tree:
    """Return a document with these questions, whose total is that of the costliest ones asked."""
    count = fields.get("ask_each_person") or len(questions)
    epsilons = sorted((Decimal(item["epsilon"]) for item in questions), reverse=True)
    total = decimal_text(sum(epsilons[:count], Decimal(0)))
    return deepcopy(DOCUMENT | {"questions": list(questions), "total_epsilon": total} | fields)


def invited(tree: Tree, *groups: str) -> Tree:
    """Return the document by invitation, with a key for each of the groups that links set."""
    keys = dict(zip(groups or ("",), TICKET_KEYS, strict=False))
    return tree | {"access": "invited", "ticket_keys": keys}


def canonical(tree: Any) -> bytes:
    """Return canonical bytes, written out so that the vectors do not rely on the tested code."""
    text = json.dumps(tree, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", errors="surrogatepass")


def changed(change: Change) -> bytes:
    """Return the canonical bytes of the plain document after one change."""
    tree = deepcopy(DOCUMENT)
    change(tree)
    return canonical(tree)


def setting(field: str, value: object) -> Change:
    return lambda tree: tree.__setitem__(field, value)


def question_setting(field: str, value: object) -> Change:
    """Return a change to a field of the first question."""
    return lambda tree: tree["questions"][0].__setitem__(field, value)


def thresholding(value: object) -> Change:
    return lambda tree: tree["questions"][0]["mechanism"].__setitem__("threshold", value)


def without(field: str) -> Change:
    return lambda tree: tree.pop(field)


def question_without(field: str) -> Change:
    return lambda tree: tree["questions"][0].pop(field)


def ask(tree: Tree, id: str, epsilon: str, threshold: int, total: str) -> Tree:
    """Add a question and set the total."""
    question = deepcopy(QUESTION)
    question.update(id=id, epsilon=epsilon, mechanism={"name": "rr", "threshold": threshold})
    tree["questions"].append(question)
    tree["total_epsilon"] = total
    return tree


def at(epsilon: str, threshold: int) -> Change:
    """Return a document with one question at another epsilon."""
    return lambda tree: (
        question_setting("epsilon", epsilon)(tree),
        thresholding(threshold)(tree),
        setting("total_epsilon", epsilon)(tree),
    )
