"""Researchers, their roles, keys and manuscripts as frozen values, and the rules about them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from client.core.primitives.refusal import Refusal, require
from server.surveys.records import unknown_survey

# Who acts at the command line of the machine itself.
OPERATOR = "operator"
# Who acts when the clock decides.
CLOCK = "clock"
NAME = re.compile(r"[a-z0-9][a-z0-9._@+-]{0,63}")
MOST_LABEL = 80


class Role(StrEnum):
    """What a researcher is to a survey; each role may do all that the ones before it may."""

    VIEWER = "viewer"
    EDITOR = "editor"
    OWNER = "owner"

    def includes(self, other: "Role") -> bool:
        ranks = list(Role)
        return ranks.index(self) >= ranks.index(other)

    @classmethod
    def named(cls, text: str) -> "Role":
        try:
            return cls(text)
        except ValueError:
            raise Refusal("bad_role", "role", known=list(cls), role=text) from None


class Scope(StrEnum):
    """What an API key is good for."""

    READ = "read"
    MANAGE = "manage"

    @property
    def words(self) -> str:
        """The scope in words, for its researcher."""
        return {
            Scope.READ: "Read results and exports",
            Scope.MANAGE: "All that you may do with surveys",
        }[self]

    @classmethod
    def named(cls, text: str) -> "Scope":
        try:
            return cls(text)
        except ValueError:
            raise Refusal("bad_scope", "scope", known=list(cls), scope=text) from None


@dataclass(frozen=True)
class Researcher:
    """Somebody who may log in, unless they were disabled."""

    key: int
    name: str
    stamp: str
    is_active: bool


@dataclass(frozen=True)
class Author:
    """Who publishes a survey, and the manuscript that it was written in, if it was."""

    researcher: Researcher
    manuscript: str | None = None


@dataclass(frozen=True)
class Membership:
    """A researcher's role in a survey."""

    slug: str
    name: str
    role: Role


@dataclass(frozen=True)
class ApiKey:
    """What is known of a key after it was shown once."""

    id: int
    label: str
    scope: Scope
    created: str
    is_revoked: bool


@dataclass(frozen=True)
class Manuscript:
    """A survey that is still being written, as JSON text; `slug` once it belongs to a survey."""

    id: str
    slug: str | None
    content: str
    revision: int
    updated: str
    author: str
    # For how many it is planned.
    respondents: int


def check_name(name: str) -> None:
    """Raise if a name is malformed or reserved; names are quoted in the audit log."""
    require(NAME.fullmatch(name) is not None, "bad_name.pattern", "name", name=name)
    require(name not in (OPERATOR, CLOCK), "bad_name.reserved", "name", name=name)


def check_label(label: str) -> None:
    require(
        0 < len(label.strip()) <= MOST_LABEL and label.isprintable(),
        "bad_label.key",
        "label",
        most=MOST_LABEL,
        label=label,
    )


def check_role(role: Role | None, needed: Role, slug: str) -> Role:
    """Raise if a role is too low. Without any role, the survey is reported as not found."""
    if role is None:
        raise unknown_survey(slug)
    require(role.includes(needed), "role_too_low", needed=needed, slug=slug, role=role)
    return role


def check_part(role: Role | None, needed: Role, slug: str) -> None:
    """Like `check_role`, but say that the slug belongs to a published survey."""
    require(role is not None, "slug_taken.other_researcher", "slug", slug=slug)
    check_role(role, needed, slug)


def check_owner_stays(
    before: Role | None, members: Iterable[Membership], slug: str, actor: str
) -> None:
    """Raise if a researcher's change leaves a survey without an owner; the operator may."""
    require(
        before is not Role.OWNER
        or actor == OPERATOR
        or any(member.role is Role.OWNER for member in members),
        "last_owner",
        "role",
        slug=slug,
    )
