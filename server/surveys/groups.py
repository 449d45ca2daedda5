"""Groups as researchers write and read them: by factor and level, never by code.

`arm=treatment, age=Under 30` is one group of a survey with two factors; `arm=treatment` are all
groups with this level.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from client.core.groups import BY_CHOICE, BY_LINK, Groups
from client.core.primitives.refusal import Refusal, require
from client.core.survey import Survey


@dataclass(frozen=True)
class Selection:
    """The groups with some levels: one group if each factor has one.

    Without any factor, these are the reports that are in no group.
    """

    # By factor the number of its level; None stands for all levels.
    levels: tuple[int | None, ...] = ()

    def codes(self, groups: Groups | None) -> tuple[str, ...]:
        """Return the codes of these groups."""
        if groups is None or not self.levels:
            return ("",)
        return tuple(code for code in groups.codes if self._has(groups.levels_of(code)))

    def _has(self, levels: tuple[int, ...]) -> bool:
        return all(own in (None, level) for own, level in zip(self.levels, levels, strict=True))

    def text(self, groups: Groups | None) -> str:
        """Return how these groups are written: arm=treatment, age=Under 30."""
        named = (f"{factor}={label}" for factor, _, label in self._chosen(groups))
        return ", ".join(named)

    def label(self, groups: Groups | None) -> str:
        """Return the labels of the levels, in the language of the given groups."""
        return ", ".join(label for *_, label in self._chosen(groups))

    def file_part(self, groups: Groups | None) -> str:
        """Return a part of a file name: letters and digits of the labels, or else numbers."""
        return "-".join(
            _ascii(label) or f"{factor}-{level + 1}"
            for factor, level, label in self._chosen(groups)
        )

    def _chosen(self, groups: Groups | None) -> list[tuple[str, int, str]]:
        """Return id, level and label of each factor that has a level."""
        factors = groups.factors if groups and self.levels else ()
        return [
            (factor.id, level, factor.labels[level])
            for factor, level in zip(factors, self.levels, strict=True)
            if level is not None
        ]


def _ascii(label: str) -> str:
    plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def selection_of(groups: Groups | None, code: str) -> Selection:
    """Return the selection of one group."""
    return Selection(groups.levels_of(code) if groups and code else ())


def selections_by_factor(groups: Groups) -> dict[str, tuple[Selection, ...]]:
    """Return the groups with each level of each factor; one factor alone is the groups."""
    count = len(groups.factors)
    return {
        factor.id: tuple(
            Selection(tuple(level if place == at else None for place in range(count)))
            for level in range(len(factor.labels))
        )
        for at, factor in enumerate(groups.factors)
        if count > 1
    }


def label_of(groups: Groups | None, code: str) -> str:
    """Return the label of one group, "" for reports that are in none."""
    return selection_of(groups, code).label(groups)


def read_selection(groups: Groups, text: str) -> Selection:
    """Read factor=level for some factors, or the label of one group; "" is no group."""
    for code in groups.codes:
        if text.strip() == groups.label(code):
            return selection_of(groups, code)
    return _selection(groups, _read_levels(groups, text)) if text.strip() else Selection()


def code_of(groups: Groups, levels: Mapping[str, str]) -> str:
    """Return the code of the group with these levels, by the ids of all factors."""
    found = _selection(groups, levels)
    for factor, level in zip(groups.factors, found.levels, strict=True):
        known = list(factor.labels)
        require(level is not None, "bad_group.missing", "group", factor=factor.id, known=known)
    (code,) = found.codes(groups)
    return code


def invited_group(survey: Survey, text: str) -> str:
    """Return the code of the group that a link is for, "" if links have none."""
    groups, slug, is_given = survey.groups, survey.slug, bool(text.strip())
    if groups is None:
        require(not is_given, "unexpected_group.none", "group", slug=slug)
        return ""
    if groups.by == BY_CHOICE:
        require(not is_given, "unexpected_group.by_choice", "group", slug=slug)
        return ""
    found = read_selection(groups, text)
    if not found.levels or None in found.levels:
        return code_of(groups, {factor: label for factor, _, label in found._chosen(groups)})
    (code,) = found.codes(groups)
    return code


def asked_for(groups: Groups | None, text: str) -> Selection | None:
    """Return the groups whose results a reader asks for; None if there are no such groups."""
    try:
        return read_selection(groups, text) if groups else None
    except Refusal:
        return None


def shown_codes(
    groups: Groups | None, chosen: Selection | None, shown: Collection[str]
) -> tuple[str, ...]:
    """Return those of the chosen groups that are shown."""
    codes = chosen.codes(groups) if chosen else ()
    return tuple(code for code in codes if code in shown)


def takes_plain_link(survey: Survey) -> bool:
    """Tell whether reports may come without a group: always in the test of a draft."""
    return survey.test or survey.groups is None or survey.groups.by != BY_LINK


def _read_levels(groups: Groups, text: str) -> dict[str, str]:
    """Read factor=level, ...; a label may contain commas."""
    parts = re.split(r",\s*(?=[A-Za-z_][A-Za-z0-9_]*\s*=)", text.strip())
    found: dict[str, str] = {}
    for part in parts:
        factor, equals, label = part.partition("=")
        example = ", ".join(f"{item.id}={item.labels[0]}" for item in groups.factors)
        require(bool(equals), "bad_group.text", "group", example=example, text=text)
        require(factor.strip() not in found, "bad_group.twice", "group", factor=factor.strip())
        found[factor.strip()] = label.strip()
    return found


def _selection(groups: Groups, levels: Mapping[str, str]) -> Selection:
    known = [factor.id for factor in groups.factors]
    for id in levels:
        require(id in known, "bad_group.factor", "group", factor=id, known=known)
    return Selection(
        tuple(
            _level(factor.id, factor.labels, levels[factor.id]) if factor.id in levels else None
            for factor in groups.factors
        )
    )


def _level(factor: str, labels: tuple[str, ...], text: str) -> int:
    """Return the number of a level; upper and lower case do not matter where only one fits."""
    exact = [place for place, label in enumerate(labels) if label == text]
    alike = [place for place, label in enumerate(labels) if label.casefold() == text.casefold()]
    found = exact or alike
    if len(found) != 1:
        raise Refusal("bad_group.level", "group", factor=factor, known=list(labels), level=text)
    return found[0]
