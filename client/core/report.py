"""A report: one respondent's randomized answers, the only thing that is ever sent or stored."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal, require
from client.core.survey import MAX_REPORT_BYTES, Survey

_KEYS = frozenset(["fingerprint", "randomized"])


@dataclass(frozen=True)
class Report:
    """`randomized` maps every question id to its randomized answer, or None if it was not asked."""

    fingerprint: str
    randomized: dict[str, Any]
    # The group that the respondent chose, sent as it is; "" unless the survey asks for one.
    group: str = ""

    @property
    def body(self) -> bytes:
        """The report as canonical JSON: equal reports have equal bytes."""
        group = {"group": self.group} if self.group else {}
        return canonical.canonical(
            {"fingerprint": self.fingerprint, **group, "randomized": self.randomized}
        )

    def wire(self, survey: Survey) -> bytes:
        """Return the bytes to send, padded to the length that all reports of a survey have."""
        return self.body.ljust(survey.report_bytes)

    def cells(self, survey: Survey) -> Iterator[tuple[str, int]]:
        """Yield each (question id, tally cell) that this report adds one to."""
        for question in survey.questions:
            randomized = self.randomized[question.id]
            if randomized is not None:
                for cell in question.mechanism.cells_of(randomized):
                    yield question.id, cell

    @classmethod
    def parse(cls, body: bytes, survey: Survey) -> "Report":
        """Read a report strictly: see `read`."""
        return cls.read(canonical.parse(body, MAX_REPORT_BYTES), survey)

    @classmethod
    def read(cls, parsed: object, survey: Survey) -> "Report":
        """Check parsed JSON: exactly the survey's questions, each valid for its mechanism."""
        groups = survey.chosen_groups
        keys = _KEYS | {"group"} if groups else _KEYS
        value = canonical.exact_keys(parsed, keys, "report")
        if value["fingerprint"] != survey.fingerprint:
            raise Refusal("wrong_fingerprint.report", "fingerprint")
        if groups:
            groups.check(value["group"], "group")
        randomized = value["randomized"]
        if not isinstance(randomized, dict):
            raise Refusal("not_an_object.plain", "randomized")
        asked = 0
        for question in survey.questions:
            if question.id not in randomized:
                raise Refusal("missing_question", question.id)
            # A question that this person was not asked is still present, as null.
            if randomized[question.id] is not None or not survey.ask_each_person:
                question.mechanism.check(randomized[question.id], question.id)
                asked += 1
        check_asked(asked, survey)
        for id in randomized.keys() - {question.id for question in survey.questions}:
            raise Refusal("unknown_question", id)
        return cls(survey.fingerprint, randomized, value.get("group", ""))


def check_asked(asked: int, survey: Survey) -> None:
    """Raise unless the report is about as many questions as the survey asks each person."""
    require(
        asked == survey.asked,
        "wrong_number_of_questions",
        "randomized",
        wanted=survey.asked,
        got=asked,
    )
