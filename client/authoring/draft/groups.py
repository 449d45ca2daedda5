"""Read the groups of a draft: factors with their levels, and who says which one somebody has."""

from dataclasses import dataclass
from typing import Any

from client.authoring.draft.faults import Faults
from client.authoring.draft.fields import FACTOR, GROUPS
from client.authoring.draft.languages import DraftLanguages
from client.authoring.draft.reader import Fields
from client.core.groups import BY_CHOICE, MAX_FACTORS, Factor, Groups
from client.core.primitives.refusal import require

_PATH = ("groups",)


@dataclass(frozen=True)
class WrittenGroups:
    """The groups as they are written; without factors if the draft has none."""

    by: Any = ""
    factors: tuple[Fields, ...] = ()

    def read(self, languages: DraftLanguages, faults: Faults) -> "ReadGroups":
        """Read all factors in the survey's own language and collect every fault."""
        factors = tuple(factor.with_languages(languages) for factor in self.factors)
        found = [_read_factor(fields, faults) for fields in factors]
        read = tuple(factor for factor in found if factor)
        if found and len(read) == len(found):
            with faults.noting(_PATH, "groups"):
                return ReadGroups(factors, Groups(self.by, read))
        return ReadGroups(factors, None)


@dataclass(frozen=True)
class ReadGroups:
    """The groups of a draft, and the fields of each factor."""

    fields: tuple[Fields, ...]
    # None if there are none, or if there is a fault in them.
    groups: Groups | None

    def texts(self, language: str, faults: Faults) -> list[dict[str, Any]]:
        """Return the texts of each factor in one of the other languages."""
        texts = []
        for index, fields in enumerate(self.fields):
            factor = _read_factor(fields.in_language(language), faults)
            with fields.noting(faults):
                if factor and self.groups:
                    alike = len(factor.levels) == len(self.groups.factors[index].levels)
                    require(alike, "bad_translation.length", "levels")
                    texts.append(factor.texts)
        return texts


def find_groups(written: Fields, faults: Faults) -> WrittenGroups:
    """Return the groups as they are written, without reading their factors."""
    value = written.take("groups")
    if value is None:
        return WrittenGroups()
    with faults.noting(_PATH, "groups"):
        require(isinstance(value, dict), "not_a_mapping", part="groups")
        fields = Fields(value, GROUPS, _PATH, "groups")
        fields.check_all_declared(faults)
        by, items = fields.take("by"), fields.take("factors")
        require(isinstance(items, list), "bad_groups.list", "factors")
        count = len(items)
        fits = 1 <= count <= MAX_FACTORS
        require(fits, "bad_groups.count", "factors", most=MAX_FACTORS, count=count)
        return WrittenGroups(by, tuple(_factor(item, by, at) for at, item in enumerate(items)))
    return WrittenGroups()


def _factor(item: Any, by: object, at: int) -> Fields:
    where = f"groups.factors[{at}]"
    require(isinstance(item, dict), "not_a_mapping", "factors", at, part=where)
    # Whoever is asked can decline, also where the author did not write it down.
    usual = {"decline": "true"} if by == BY_CHOICE else {}
    id = item.get("id")
    name = id[:40] if isinstance(id, str) and id else where
    return Fields({**usual, **item}, FACTOR, (*_PATH, "factors", at), name)


def _read_factor(fields: Fields, faults: Faults) -> Factor | None:
    known = len(faults)
    values = fields.read_all(FACTOR, {}, faults)
    fields.check_all_declared(faults)
    if len(faults) == known:
        with fields.noting(faults):
            return Factor(**values)
    return None
