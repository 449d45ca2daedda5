"""A list of people checked against a survey, before any link is made, and their links after it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from client.core.survey import Survey
from server.invitations.mailing import Mailing, check_columns
from server.invitations.people_file import People, read_people
from server.invitations.strata import columns_of, groups_of
from server.surveys.groups import label_of


@dataclass(frozen=True)
class Invitees:
    """People who can be invited: the label of each one's group, and the columns on a label."""

    people: People
    groups: Sequence[str]
    labels: Sequence[str]

    @classmethod
    def read(cls, survey: Survey, data: bytes, strata: str, label: str | None) -> "Invitees":
        """Read a list; raise if anything in it is not as it should be."""
        people = read_people(data)
        check_columns(people)
        columns = columns_of(survey, strata)
        labels = _labels(people, list(columns.values()), label)
        groups = [label_of(survey.groups, code) for code in groups_of(survey, people, columns)]
        return cls(people, groups, labels)

    @property
    def counts(self) -> dict[str, int]:
        """How many people are in each group: all that the server has to know."""
        return dict(Counter(self.groups))

    def mailing(self, url: str, made: dict[str, Any]) -> Mailing:
        """Give each row a link of its own group."""
        left = {item["group"]: iter(item["invitations"]) for item in made["groups"]}
        codes = [next(left[group]) for group in self.groups]
        return Mailing(url, made["slug"], made["fingerprint"], self.people, codes)


def _labels(people: People, strata: Sequence[str], label: str | None) -> list[str]:
    """Return the columns on a label: by default the first that is no stratum."""
    if not label:
        return [column for column in people.columns if column not in strata][:1]
    columns = [part.strip() for part in label.split(",")]
    for column in columns:
        people.cells(column)
    return columns
