"""Python and JavaScript read the same changed input: both accept it, or refuse it by one code.

The page reads documents and writes reports. So documents are read by both, the bytes of reports by
the strict parser of both, and answers are turned into reports by both from the same random words.
"""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any

from client.core.assignment import Assignment
from client.core.document import read_document
from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal
from client.core.respond import respond
from client.core.survey import MAX_REPORT_BYTES, Survey
from tests.browser.node import SCRIPTS, Node
from tests.torture.bad_input.attempts import Trial, attempt
from tests.torture.bad_input.documents import Documents
from tests.torture.bad_input.mutation import VALUES, spoil_json, spoil_tree
from tests.torture.bad_input.verdicts import ACCEPTED, counted, outcome
from tests.torture.row import Outcome, Progress, Row
from tests.vectors.documents import as_field
from tests.vectors.generate import read
from tests.vectors.tapes import Tape

# More than any survey of the vectors draws for one report.
WORDS = 200
# JSON cannot carry 1.0 to JavaScript: there it is 1.
_WHOLE = [value for value in VALUES if not isinstance(value, float)]
_GROUPS = (*_WHOLE, "0-0", "1-2", "3-2", "0", "4-0", "0-0 ", "00-00", "٠-٠")
Vector = dict[str, Any]
# What was read or written, or the code of a refusal.
Verdict = dict[str, Any]


class SameVerdict:
    """Draws changed documents, reports and answers, and asks both languages about them."""

    def __init__(self, node: Node, scripts: Path) -> None:
        self._node, self._base = node, f"{scripts.as_uri()}/"
        self._documents = Documents()
        good = (vector for vector in read("reports.jsonl") if "randomized" in vector)
        self._reports = [vector["text"] for vector in good]
        vectors = read("responses.jsonl")
        opened = [vector for vector in vectors if vector["name"].startswith("document_")]
        self._surveys = {item["name"]: read_document(item["text"].encode()) for item in opened}
        self._answers = [vector for vector in vectors if "answers" in vector and "text" in vector]
        node.call("open", self._base, opened)

    def draw(self, dice: random.Random) -> tuple[str, Any]:
        way = dice.random()
        if way < 0.7:
            return "document", self._documents.draw(dice)
        if way < 0.85:
            return "report", spoil_json(dice.choice(self._reports), dice)
        return "answers", self._spoil_answers(dice)

    def judge(self, given: tuple[str, Any]) -> str:
        """Ask both; what is read or written must be the same too."""
        what, item = given
        python, javascript = self._ask(what, item)
        _compare(python, javascript)
        return str(python["refused"]) if "refused" in python else ACCEPTED

    def _ask(self, what: str, item: Any) -> tuple[Verdict, Verdict]:
        if what == "document":
            return self._read(item)
        return self._parse(item) if what == "report" else self._respond(item)

    def _read(self, document: bytes) -> tuple[Verdict, Verdict]:
        (code,) = self._node.call("verdicts", self._base, [as_field(document)])
        theirs = {"refused": code} if code else {"document": document}
        return _verdict(lambda: {"document": read_document(document).document}), theirs

    def _parse(self, body: bytes) -> tuple[Verdict, Verdict]:
        theirs = self._node.call("parsed", self._base, as_field(body), MAX_REPORT_BYTES)
        return _verdict(lambda: {"value": canonical.parse(body, MAX_REPORT_BYTES)}), theirs

    def _respond(self, item: Vector) -> tuple[Verdict, Verdict]:
        theirs = self._node.call("response", self._base, item)
        survey = self._surveys[item["document"]]
        return _verdict(lambda: {"text": _sent(survey, item)}), theirs

    def _spoil_answers(self, dice: random.Random) -> Vector:
        """Change some answers or the group: of two faults each language may see another first."""
        item = deepcopy(dice.choice(self._answers))
        item["tape"] = f"{dice.getrandbits(32 * WORDS):0{8 * WORDS}x}"
        if self._surveys[item["document"]].chosen_groups and dice.random() < 0.5:
            item["group"] = dice.choice(_GROUPS)
            return item
        answers = item["answers"]
        for id in dice.sample(list(answers), min(len(answers), dice.randrange(3))):
            answers[id] = _spoil_answer(answers[id], dice)
        return item


def _verdict(read: Callable[[], Verdict]) -> Verdict:
    try:
        return read()
    except Refusal as refusal:
        return {"refused": refusal.code}


def _spoil_answer(answer: Any, dice: random.Random) -> Any:
    changed = spoil_tree([answer], dice, _WHOLE)
    value = changed[0] if isinstance(changed, list) and changed else changed
    return json.loads(json.dumps(value), parse_float=_not_whole)


def _not_whole(text: str) -> float | None:
    """Return a float as it is, but not 1.0: in JavaScript that is the integer 1."""
    return None if float(text).is_integer() else float(text)


def _sent(survey: Survey, item: Vector) -> str:
    assignment = Assignment(tuple(item["questions"]), item["boxes"])
    words = Tape.from_hex(item["tape"])
    report = respond(survey, assignment, item["answers"], words, item.get("group", ""))
    return report.wire(survey).decode()


def _compare(python: Any, javascript: Any) -> None:
    assert python == javascript, f"Python: {python!r}, JavaScript: {javascript!r}"


@contextmanager
def same_verdict(scripts: Path = SCRIPTS) -> Iterator[Trial]:
    """Open a trial with the scripts of the page, or with others."""
    with closing(Node()) as node:
        yield SameVerdict(node, scripts)


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Try this many documents, reports and answers."""
    tally = attempt(same_verdict, amount, seed, progress)
    return outcome(tally, counted(tally, "documents, reports and answers"))


ROW = Row(
    "same-verdict",
    "changed documents, reports and answers, read by Python and by the scripts of the page",
    "both accept or refuse by the same code, and write the same report from the same words",
    100_000,
    "inputs",
    run,
)
