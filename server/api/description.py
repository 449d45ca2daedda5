"""Descriptions of views, read both by the guard before a view runs and by the OpenAPI document.

So the document cannot claim a key, a scope or a role that the guard does not check.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from server.surveys.researchers import Role, Scope

View = TypeVar("View", bound=Callable[..., Any])
Schema = dict[str, Any]

JSON = "application/json"


@dataclass(frozen=True)
class ApiResponse:
    """A response: its meaning, and the schema of its JSON or the media type of its file."""

    description: str
    schema: Schema | None = None
    type: str = JSON


@dataclass(frozen=True)
class Description:
    """One operation of the API. Without a scope it is open to everybody."""

    summary: str
    responses: Mapping[int, ApiResponse]
    body: Schema | None = None
    query: Mapping[str, Schema] = field(default_factory=dict)
    headers: Mapping[str, Schema] = field(default_factory=dict)
    scope: Scope | None = Scope.MANAGE
    role: Role | None = None


def describe(
    summary: str, responses: Mapping[int, ApiResponse], **details: Any
) -> Callable[[View], View]:
    """Attach a description to a view: what it does, takes and returns, and who may call it."""

    def mark(view: View) -> View:
        view.description = Description(summary, responses, **details)  # type: ignore[attr-defined]
        return view

    return mark


def description_of(view: Callable[..., Any]) -> Description:
    """Return a view's description; raise AttributeError if somebody forgot to write it."""
    found: Description = view.description  # type: ignore[attr-defined]
    return found
