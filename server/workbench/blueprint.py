"""The workbench's blueprint, the guard that runs before every view, and researchers' rights.

Nothing is open by default. Every view needs a logged-in researcher. A view with a survey in its
address also needs a role in that survey: viewer to read, editor to change, or the role that `needs`
names.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from flask import Blueprint, current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue

from client.core.primitives.refusal import require
from server.store.researchers import access
from server.surveys.researchers import Manuscript, Role
from server.web.requests import wants_json
from server.web.services import services
from server.web.urls import ADDRESS
from server.workbench.session import csrf, is_logged_in, keep_alive, me

View = TypeVar("View", bound=Callable[..., Any])

workbench = Blueprint("workbench", __name__, url_prefix=ADDRESS)
Draft = dict[str, Any]


def open_to_all(view: View) -> View:
    """Mark a view that needs no login: the login page itself and its style sheet."""
    view.is_open = True  # type: ignore[attr-defined]
    return view


def harmless(view: View) -> View:
    """Mark a view that needs neither a login nor a token, because it changes and reveals nothing.

    The preview of a respondent's page calls such views without a session.
    """
    view.is_harmless = True  # type: ignore[attr-defined]
    return view


def needs(role: Role) -> Callable[[View], View]:
    """Mark a view with the role that it needs in the survey of its address."""

    def mark(view: View) -> View:
        view.role = role  # type: ignore[attr-defined]
        return view

    return mark


@workbench.before_request
def guard() -> ResponseReturnValue | None:
    """Check token, login and role; redirect to the login page if nobody is logged in."""
    view = current_app.view_functions[str(request.endpoint)]
    if getattr(view, "is_harmless", False):
        return None
    # First of all: a form on another site must not even be able to log somebody in.
    csrf.protect()
    if getattr(view, "is_open", False):
        return None
    if not is_logged_in():
        require(not wants_json(request), "login_needed")
        next_page = request.full_path.rstrip("?") if request.method == "GET" else None
        return redirect(url_for("workbench.login", next=next_page), 303)
    keep_alive()
    slug = (request.view_args or {}).get("slug")
    if slug is not None:
        require_role(slug, getattr(view, "role", _usual_role()))
    return None


def require_role(slug: str, role: Role) -> Role:
    """Return the researcher's role in a survey; raise if it is too low.

    A survey in which they have no role is reported as not found.
    """
    return access.require_role(services().database.reader, me(), slug, role)


def _usual_role() -> Role:
    return Role.VIEWER if request.method in ("GET", "HEAD") else Role.EDITOR


def may_write(manuscript: Manuscript) -> bool:
    return _role_in(manuscript).includes(Role.EDITOR)


def may_publish(manuscript: Manuscript, draft: Draft) -> bool:
    return _role_in(manuscript).includes(_publisher(manuscript, draft))


def require_writer(manuscript: Manuscript) -> None:
    _require(manuscript, Role.EDITOR)


def require_publisher(manuscript: Manuscript, draft: Draft) -> None:
    _require(manuscript, _publisher(manuscript, draft))


def _publisher(manuscript: Manuscript, draft: Draft) -> Role:
    """Return the role needed to publish: owner for the next version, editor for a new survey."""
    return Role.OWNER if draft.get("slug") == manuscript.slug else Role.EDITOR


def _role_in(manuscript: Manuscript) -> Role:
    """Return the researcher's role: owner of their own new survey, or as in the published one."""
    if manuscript.slug is None:
        return Role.OWNER
    return access.require_role(services().database.reader, me(), manuscript.slug, Role.VIEWER)


def _require(manuscript: Manuscript, role: Role) -> None:
    if manuscript.slug is not None:
        access.require_role(services().database.reader, me(), manuscript.slug, role)
