"""The tally of a survey: all that estimators need of any number of reports, group by group.

It also names its parts, the files that were counted, so that none of them is counted twice.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from client.core.primitives.refusal import Refusal, require, within
from client.core.question import Question
from client.core.survey import Survey
from estimators.counting.group_columns import declared_labels, group_cells
from estimators.counting.tally import Counting, Tally, sum_tallies

Tallies = Mapping[str, Tally]

# Reports beyond this have no exact double, and no survey has them.
MOST_REPORTS = 10**15 - 1
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, order=True)
class Part:
    """A file that was counted: the SHA-256 of its bytes, and how many reports it holds."""

    digest: str
    reports: int

    def __post_init__(self) -> None:
        require(bool(_DIGEST.fullmatch(self.digest)), "bad_tally.digest", "digest", got=self.digest)
        check_reports(self.reports)


@dataclass(frozen=True)
class GroupTally:
    """The reports of one group, counted; the code "" stands for reports that name no group."""

    reports: int
    tallies: Tallies


@dataclass(frozen=True)
class SurveyTally:
    """Reports to one survey, counted per group; impossible counts are refused at birth."""

    survey: Survey
    groups: Mapping[str, GroupTally]
    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        declared = self.survey.groups
        for code, group in self.groups.items():
            if code != "" and declared is None:
                raise Refusal("bad_tally.group", "group", group=code)
            if code != "" and declared is not None:
                declared.check(code, "group")
            with within("groups", code, name=f"group {code}" if code else None):
                _check_group(self.survey, group)
        digests = [part.digest for part in self.parts]
        require(len(set(digests)) == len(digests), "bad_tally.parts", "parts")
        counted = sum(part.reports for part in self.parts)
        require(
            counted == self.reports,
            "bad_tally.reports",
            "reports",
            parts=counted,
            groups=self.reports,
        )
        check_reports(self.reports)

    @classmethod
    def of(cls, counting: Counting, parts: Iterable[Part]) -> "SurveyTally":
        """Return the tally of everything that was counted in these parts."""
        groups = {
            code: GroupTally(reports_in(tallies, counting.survey), tallies)
            for code, tallies in counting.by_group().items()
        }
        return cls(counting.survey, groups, tuple(sorted(parts)))

    @property
    def reports(self) -> int:
        return sum(group.reports for group in self.groups.values())

    @cached_property
    def tallies(self) -> Tallies:
        """The tally of every question by its id, whatever the groups."""
        return sum_tallies([group.tallies for group in self.groups.values()])

    def question(self, id: str) -> Question:
        """Return a question of the survey; raise if it has none with this id."""
        questions = {question.id: question for question in self.survey.questions}
        require(id in questions, "unknown_column.randomized", id, known=list(questions))
        return questions[id]

    def by(self, name: str) -> dict[str, Tallies]:
        """Return the tallies per level of a factor, or per group, by the labels in their order."""
        declared = self.survey.groups
        if declared is None or not any(self.groups):
            raise Refusal("no_groups.tally", name)
        known = declared_labels(declared)
        require(name in known, "unknown_column.plain", name, known=list(known))
        found: dict[str, list[Tallies]] = {label: [] for label in known[name]}
        for code, group in self.groups.items():
            if code:
                labels = dict(zip(known, group_cells(declared, code), strict=True))
                found[labels[name]].append(group.tallies)
        return {label: sum_tallies(tallies) for label, tallies in found.items() if tallies}


def _check_group(survey: Survey, group: GroupTally) -> None:
    """Raise unless so many reports can add up to these counts."""
    check_reports(group.reports)
    for question in survey.questions:
        mechanism, tally = question.mechanism, group.tallies[question.id]
        with within("questions", question.id, name=question.id):
            name, cells, got = mechanism.name, mechanism.cells, len(tally.counts)
            require(got == cells, "bad_counts.cells", "counts", cells=cells, name=name, count=got)
            total, marks = sum(tally.counts), mechanism.marks
            require(
                total == marks * tally.n,
                "bad_counts.sum_of_n",
                "counts",
                marks=marks,
                n=tally.n,
                total=total,
            )
            right = tally.n <= group.reports
            right = right if survey.ask_each_person else tally.n == group.reports
            require(right, "bad_tally.asked", "n", reports=group.reports, n=tally.n)
    answered = sum(tally.n for tally in group.tallies.values())
    require(
        answered == survey.asked * group.reports,
        "bad_tally.answered",
        "n",
        asked=survey.asked,
        reports=group.reports,
        answered=answered,
    )


def reports_in(tallies: Tallies, survey: Survey) -> int:
    """Return how many reports were counted: each is about as many questions."""
    return sum(tally.n for tally in tallies.values()) // survey.asked


def check_reports(number: object) -> None:
    """Raise unless a tally can hold so many reports."""
    right = type(number) is int and 1 <= number <= MOST_REPORTS
    require(right, "bad_tally.number", "reports", most=MOST_REPORTS, got=number)
