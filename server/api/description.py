"""What each view says of itself: read by the guard before it runs, and by the OpenAPI document.

So a view cannot be documented as needing a key, a scope or a role that it does not ask for.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from server.surveys.researchers import Role, Scope

View = TypeVar("View", bound=Callable[..., Any])
Schema = dict[str, Any]

JSON = "application/json"


@dataclass(frozen=True)
class Gives:
    """An answer: what it is, and the schema of its JSON, or the type of a file."""

    what: str
    schema: Schema | None = None
    type: str = JSON


@dataclass(frozen=True)
class Description:
    """One operation. Without a scope it is open to everybody."""

    summary: str
    gives: Mapping[int, Gives]
    takes: Schema | None = None
    query: Mapping[str, Schema] = field(default_factory=dict)
    headers: Mapping[str, Schema] = field(default_factory=dict)
    scope: Scope | None = Scope.MANAGE
    role: Role | None = None


def describe(summary: str, gives: Mapping[int, Gives], **details: Any) -> Callable[[View], View]:
    """Say what a view does, takes and gives, and who may ask for it."""

    def mark(view: View) -> View:
        view.description = Description(summary, gives, **details)  # type: ignore[attr-defined]
        return view

    return mark


def description_of(view: Callable[..., Any]) -> Description:
    """Every view has one; a view without is a mistake that the first request shows."""
    found: Description = view.description  # type: ignore[attr-defined]
    return found
