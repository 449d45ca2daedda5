"""The groups of a draft in the form, and the buttons that add or remove a factor."""

import re
from typing import Any

from client.authoring.draft.fields import FACTOR, GROUPS
from client.core.groups import BY_CHOICE, MAX_FACTORS

Draft = dict[str, Any]

ADD = "add-factor"
_REMOVE = re.compile(r"remove-factor-([0-9])")


def groups_of(draft: Draft) -> Draft:
    """Return the groups with a list of factors, whatever the draft holds there."""
    groups = draft.get("groups")
    groups = groups if isinstance(groups, dict) else {}
    factors = groups.get("factors")
    factors = factors if isinstance(factors, list) else []
    return {**groups, "factors": [item for item in factors if isinstance(item, dict)]}


def factors_of(draft: Draft) -> list[Draft]:
    """Return the factors that the form can show."""
    return list(groups_of(draft)["factors"])


def is_about_groups(action: str) -> bool:
    """Return whether a button adds or removes a factor."""
    return action == ADD or _REMOVE.fullmatch(action) is not None


def change_factors(draft: Draft, action: str) -> Draft:
    """Return the draft with a factor more or less; without the last one it has no groups."""
    factors, removed = factors_of(draft), _REMOVE.fullmatch(action)
    if action == ADD and len(factors) < MAX_FACTORS:
        factors.append(_new_factor(draft))
    elif removed and int(removed[1]) < len(factors):
        del factors[int(removed[1])]
    if not factors:
        return {name: value for name, value in draft.items() if name != "groups"}
    return {**draft, "groups": {"by": BY_CHOICE, **groups_of(draft), "factors": factors}}


def _new_factor(draft: Draft) -> Draft:
    parts = [*factors_of(draft), *draft["questions"]]
    taken = {part.get("id") for part in parts}
    return {"id": next(id for n in range(1, len(parts) + 2) if (id := f"factor{n}") not in taken)}


def known_groups(draft: Draft) -> Draft:
    """Return the groups without fields that nobody declares."""
    groups = {name: value for name, value in groups_of(draft).items() if name in GROUPS}
    factors = [{name: item[name] for name in item if name in FACTOR} for item in factors_of(draft)]
    return {**groups, "factors": factors}
