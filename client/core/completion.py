"""What a panel asks for: a code and a link to press after sending, the same for everybody.

Neither depends on an answer. The panel's own parameters travel in the fragment of the survey's link
and stay on the device; they only become part of the link that the person presses.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from client.core.primitives import canonical
from client.core.primitives.refusal import require
from client.core.primitives.values import check_pattern

MAX_PASSED_ON = 5
MAX_REDIRECT = 500
CODE = re.compile(r"[A-Za-z0-9_-]{1,64}")
# Plain addresses only: https, no account, nothing after #.
REDIRECT = re.compile(
    r"https://[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?"
    r"(?:/[A-Za-z0-9/._~:@!$&'()*+,;=%-]*)?(?:\?[A-Za-z0-9/._~:@!$&'()*+,;=%?-]*)?"
)
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")
# Nothing in a value needs to be encoded, or could mean something else in an address.
VALUE = re.compile(r"[A-Za-z0-9._~-]{1,64}")
_GROUP_KEYS = frozenset(["code", "redirect"])
_KEYS = _GROUP_KEYS | {"pass_on", "by_group"}


@dataclass(frozen=True)
class Completion:
    """The code and the link after sending; each part may be missing."""

    code: str = ""
    redirect: str = ""
    # The names of the parameters that the link takes along.
    pass_on: tuple[str, ...] = ()
    # What the people of a group get instead, by the code of the group.
    by_group: tuple[tuple[str, "Completion"], ...] = ()

    def __post_init__(self) -> None:
        if self.code != "":
            check_pattern(self.code, CODE, "code", key="bad_completion.code")
        if self.redirect != "":
            check_pattern(self.redirect, REDIRECT, "redirect", key="bad_completion.redirect")
            short = len(self.redirect) <= MAX_REDIRECT
            require(short, "bad_completion.long", "redirect", most=MAX_REDIRECT)
        for name in self.pass_on:
            check_pattern(name, NAME, "pass_on", key="bad_completion.name")
        few = len(set(self.pass_on)) == len(self.pass_on) <= MAX_PASSED_ON
        require(few, "bad_completion.names", "pass_on", most=MAX_PASSED_ON)
        leads = any(part.redirect for part in (self, *dict(self.by_group).values()))
        require(leads or not self.pass_on, "bad_completion.no_redirect", "pass_on")

    @classmethod
    def read(cls, value: object) -> "Completion":
        """Read the part of a document."""
        item = canonical.exact_keys(value, frozenset(), "completion", _KEYS)
        names, by_group = item.get("pass_on", []), item.get("by_group", {})
        require(isinstance(names, list), "bad_completion.list", "pass_on")
        require(isinstance(by_group, dict), "bad_completion.by_group", "by_group")
        groups = tuple((group, cls._of_group(by_group[group])) for group in sorted(by_group))
        return cls(item.get("code", ""), item.get("redirect", ""), tuple(names), groups)

    @classmethod
    def _of_group(cls, value: object) -> "Completion":
        part = cls(**canonical.exact_keys(value, frozenset(), "by_group", _GROUP_KEYS))
        require(part != cls(), "bad_completion.empty", "by_group")
        return part

    def as_json(self) -> dict[str, Any]:
        """Return the parts that are not empty, as they appear in a document."""
        by_group = {group: part.as_json() for group, part in self.by_group}
        parts: dict[str, Any] = {"code": self.code, "redirect": self.redirect}
        parts |= {"pass_on": list(self.pass_on), "by_group": by_group}
        return {name: part for name, part in parts.items() if part}

    def of_group(self, group: str) -> "Completion":
        """Return what somebody of this group gets; "" is none."""
        part = dict(self.by_group).get(group, self)
        redirect = part.redirect or self.redirect
        passed = self.pass_on if redirect else ()
        return replace(
            self, code=part.code or self.code, redirect=redirect, pass_on=passed, by_group=()
        )

    def link(self, parameters: Mapping[str, str]) -> str:
        """Return the link with those parameters that it takes along and that are safe; or ""."""
        if self.redirect == "":
            return ""
        pairs = [
            f"{name}={parameters[name]}"
            for name in self.pass_on
            if VALUE.fullmatch(parameters.get(name, ""))
        ]
        if not pairs:
            return self.redirect
        return f"{self.redirect}{'&' if '?' in self.redirect else '?'}{'&'.join(pairs)}"


NO_PANEL = Completion()
