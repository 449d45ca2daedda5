"""A survey with every mechanism, and respondents who give several answers to each question.

What a device reports for each answer is known exactly, so counts of reports can be judged.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from client.authoring.draft.survey import build_survey
from tests.support.exact_channel import Channel, channel_of

# Of each question.
EPSILON = 1


def _question(id: str, kind: str = "yes_no", **fields: Any) -> dict[str, Any]:
    return {"id": id, "kind": kind, "prompt": "Which?", "epsilon": str(EPSILON), **fields}


def _number(id: str, top: int, **fields: Any) -> dict[str, Any]:
    return _question(id, "number", lo="0", hi=str(top), **fields)


DRAFT: dict[str, Any] = {
    "slug": "every-mechanism",
    "title": "Every mechanism",
    "delete_on": "2999-12-31",
    "questions": [
        _question("rr"),
        _question("again"),
        _question("ss", "one_of", options=[*"abcdef"], mechanism="ss"),
        _question("hr", "one_of", options=[*"abcdef"], mechanism="hr"),
        _question("smp", "any_of", options=[*"abcd"], mechanism="smp"),
        _question("privset", "any_of", options=[*"abcdefgh"], at_most=2, mechanism="privset"),
        _number("rt", 4, goal="mean", mechanism="rt"),
        _number("isw", 5, goal="distribution", mechanism="isw"),
        _number("silent", 5, goal="distribution", decline=True),
    ],
}
SURVEY = build_survey(DRAFT)
# The answers of three people.
TRUTHS: list[dict[str, Any]] = [
    {
        **{"rr": 0, "again": 0, "ss": 0, "hr": 0, "smp": [], "privset": []},
        **{"rt": 0, "isw": 0, "silent": 0},
    },
    {
        **{"rr": 1, "again": 0, "ss": 2, "hr": 2, "smp": [0], "privset": [0]},
        **{"rt": 2, "isw": 2, "silent": 5},
    },
    {
        **{"rr": 1, "again": 1, "ss": 5, "hr": 5, "smp": [0, 1, 2, 3], "privset": [6, 7]},
        **{"rt": 4, "isw": 5, "silent": 6},
    },
]
# Two questions together may tell as much as both.
TOGETHER = ["rr", "again"]


@dataclass(frozen=True)
class Asked:
    """What is counted: the report to a question, or those to several together."""

    name: str
    epsilon: int
    # By the answer, as JSON; the first and the last are as different as answers can be.
    channels: dict[str, Channel]
    # The answer of each of the three people.
    answers: list[str]

    def tally(self, counts: Sequence[Mapping[str, int]]) -> dict[str, Counter[str]]:
        """Return how often each report came, by answer; `counts` are those of the three people."""
        found: dict[str, Counter[str]] = {answer: Counter() for answer in self.channels}
        for answer, of_person in zip(self.answers, counts, strict=True):
            for key, count in of_person.items():
                name, _, report = key.partition(" ")
                if name == self.name:
                    found[answer][report] += count
        return found


def _channel(ids: Sequence[str], truth: Mapping[str, Any]) -> Channel:
    """Return the channel of one question, or the product of several."""
    mechanisms = {question.id: question.mechanism for question in SURVEY.questions}
    channels = [channel_of(mechanisms[id], truth[id]) for id in ids]
    if len(channels) == 1:
        return {_compact(json.loads(report)): chance for report, chance in channels[0].items()}
    joint: Channel = {}
    for parts in product(*(channel.items() for channel in channels)):
        chance = Fraction(1)
        for _, one in parts:
            chance *= one
        joint[_compact([json.loads(report) for report, _ in parts])] = chance
    return joint


def _compact(report: Any) -> str:
    return json.dumps(report, separators=(",", ":"))


def _asked(ids: Sequence[str]) -> Asked:
    answers = [json.dumps([truth[id] for id in ids]) for truth in TRUTHS]
    channels = {answer: _channel(ids, truth) for answer, truth in zip(answers, TRUTHS, strict=True)}
    return Asked("+".join(ids), EPSILON * len(ids), channels, answers)


ASKED = [*(_asked([question.id]) for question in SURVEY.questions), _asked(TOGETHER)]
