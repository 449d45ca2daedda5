"""Drafts of surveys with groups, and the codes of groups by their labels."""

from typing import Any

from client.core.survey import Survey
from server.surveys.groups import read_selection

ARMS = ("arm-a", "arm-b", "arm-c")
SITES = ("north", "south")


def with_groups(
    draft: dict[str, Any], *levels: str, id: str = "arm", by: str = "link"
) -> dict[str, Any]:
    """Return the draft with one factor of these levels, which the link sets."""
    factor = {"id": id, "prompt": "Which one?", "levels": list(levels or ARMS)}
    return {**draft, "groups": {"by": by, "factors": [factor]}}


def with_factors(draft: dict[str, Any], by: str = "link") -> dict[str, Any]:
    """Return the draft with two factors: two arms in two places."""
    arms = {"id": "arm", "prompt": "Study arm", "levels": ["treatment", "control"]}
    sites = {"id": "site", "prompt": "Place", "levels": list(SITES)}
    return {**draft, "groups": {"by": by, "factors": [arms, sites]}}


def code(survey: Survey, label: str) -> str:
    """Return the code of a group by its label; "" for none."""
    if survey.groups is None or not label:
        return ""
    (found,) = read_selection(survey.groups, label).codes(survey.groups)
    return found
