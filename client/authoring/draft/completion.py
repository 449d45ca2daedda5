"""Read what a panel asks for, `completion:` in a survey file."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from client.authoring.draft.fields import COMPLETION_FIELDS, GROUP_COMPLETION_FIELDS
from client.core.completion import NO_PANEL, Completion
from client.core.groups import Groups
from client.core.primitives.refusal import require, within

# A group, and after the last fitting = its code, its address or both, as people write it in a cell.
_LINE = re.compile(
    r"(?P<group>.*?)\s*=\s*(?P<code>(?:(?!https:)[^\s=]+)?)\s*(?P<redirect>https:\S*)?"
)


def read_completion(value: object) -> Completion:
    """Return the code and the link that a survey file describes, with groups as it calls them."""
    if isinstance(value, Completion):
        return value
    require(isinstance(value, dict), "not_a_mapping", "completion", part="completion")
    assert isinstance(value, dict)
    with within("completion", name="completion"):
        known = sorted(COMPLETION_FIELDS)
        for name in value:
            is_known = name in COMPLETION_FIELDS
            field = str(name)[:40]
            require(is_known, "unknown_field", field, part="completion", name=name, known=known)
        completion = Completion.read(value)
        require(completion != NO_PANEL, "bad_completion.empty", "code")
        return completion


def by_codes(completion: Completion, groups: Groups | None) -> Completion:
    """Return the same with each group's code in place of its label."""
    codes = {groups.label(code): code for code in groups.codes} if groups else {}
    found = {codes.get(group, group): part for group, part in completion.by_group}
    return replace(completion, by_group=tuple(sorted(found.items(), key=lambda item: item[0])))


def completion_draft(completion: Completion, groups: Groups | None) -> dict[str, Any]:
    """Return a completion as in a survey file, where groups have their labels."""
    draft = completion.as_json()
    if groups and "by_group" in draft:
        draft["by_group"] = {groups.label(code): part for code, part in draft["by_group"].items()}
    return draft


def group_lines(by_group: Mapping[Any, Any]) -> str:
    """Return what groups get as lines such as `Control, North = AB12 https://panel.example`."""
    lines = []
    for group, part in by_group.items():
        # A draft may hold anything here.
        given = part if isinstance(part, dict) else {"code": part}
        parts = (str(given[name]) for name in GROUP_COMPLETION_FIELDS if name in given)
        lines.append(" ".join([str(group), "=", *parts]))
    return "\n".join(lines)


def read_group_lines(text: str) -> dict[str, dict[str, str]]:
    """Read such lines; whatever is wrong with them is refused with the survey."""
    by_group = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        found = _LINE.fullmatch(line)
        group, code, redirect = found.groups() if found else (line, "", "")
        given = {"code": code, "redirect": redirect}
        by_group[group] = {name: part for name, part in given.items() if part}
    return by_group
