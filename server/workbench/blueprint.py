"""The workbench's blueprint, the guard before all of its views, and what a researcher may do.

Nothing is open by default: a view needs a researcher who is logged in; with a survey in its address
also a role in that survey, viewer to look and editor to change, or the one that `needs` names.
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
from server.workbench.session import csrf, is_logged_in, me, stay

View = TypeVar("View", bound=Callable[..., Any])

workbench = Blueprint("workbench", __name__, url_prefix=ADDRESS)
Draft = dict[str, Any]


def open_to_all(view: View) -> View:
    """For the few views that strangers may see: the login, and the style of its page."""
    view.is_open = True  # type: ignore[attr-defined]
    return view


def harmless(view: View) -> View:
    """For what a respondent's page asks in the preview, where it has no session: no token needed.

    Such a view changes nothing and tells nothing.
    """
    view.is_harmless = True  # type: ignore[attr-defined]
    return view


def needs(role: Role) -> Callable[[View], View]:
    """The role in the survey of its address that a view needs."""

    def mark(view: View) -> View:
        view.role = role  # type: ignore[attr-defined]
        return view

    return mark


@workbench.before_request
def guard() -> ResponseReturnValue | None:
    view = current_app.view_functions[str(request.endpoint)]
    if getattr(view, "is_harmless", False):
        return None
    # Before anything else: a form of another site must not even log somebody in.
    csrf.protect()
    if getattr(view, "is_open", False):
        return None
    if not is_logged_in():
        require(not wants_json(request), "login_needed")
        wish = request.full_path.rstrip("?") if request.method == "GET" else None
        return redirect(url_for("workbench.login", next=wish), 303)
    stay()
    slug = (request.view_args or {}).get("slug")
    if slug is not None:
        require_role(slug, getattr(view, "role", _usual_role()))
    return None


def require_role(slug: str, role: Role) -> Role:
    """The researcher's role in a survey. Surveys that they have no part in are not found."""
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
    """Owners alone replace what is published; under another name it is a survey of its own."""
    return Role.OWNER if draft.get("slug") == manuscript.slug else Role.EDITOR


def _role_in(manuscript: Manuscript) -> Role:
    """A new survey is its author's; the next version is of all who work on the one before."""
    if manuscript.slug is None:
        return Role.OWNER
    return access.require_role(services().database.reader, me(), manuscript.slug, Role.VIEWER)


def _require(manuscript: Manuscript, role: Role) -> None:
    if manuscript.slug is not None:
        access.require_role(services().database.reader, me(), manuscript.slug, role)
