"""Researchers' sessions: a signed cookie that is sent to /workbench only, and that expires.

A session ends after IDLE_HOURS without a request, after MOST_HOURS in any case, when the browser is
closed, and at once when the researcher logs out, is disabled or gets a new password.
"""

from typing import Any

from flask import Flask, Request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from flask_login import LoginManager, UserMixin, current_user, login_user
from flask_wtf import CSRFProtect

from client.core.document import MAX_DOCUMENT_BYTES
from server.store.researchers import accounts
from server.surveys.researchers import Researcher
from server.surveys.schedule import after
from server.web.services import services
from server.web.urls import ADDRESS, in_workbench

IDLE_HOURS = "8"
MOST_HOURS = "168"

csrf = CSRFProtect()


class _SessionsOfWorkbench(SecureCookieSessionInterface):
    """Sessions for the workbench only. Elsewhere writing to a session fails."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        return super().open_session(app, request) if in_workbench(request.path) else None


class _Visitor(UserMixin):  # type: ignore[misc]
    """A researcher for Flask-Login, identified by a stamp that changes when sessions end."""

    def __init__(self, researcher: Researcher) -> None:
        self.researcher = researcher

    def get_id(self) -> str:
        return self.researcher.stamp


def keep_sessions(app: Flask, key: bytes, is_https: bool) -> None:
    """Set up sessions and protected forms for the application's workbench."""
    app.secret_key = key
    app.session_interface = _SessionsOfWorkbench()
    app.config.update(
        SESSION_COOKIE_NAME="__Secure-candor" if is_https else "candor",
        SESSION_COOKIE_PATH=ADDRESS,
        SESSION_COOKIE_HTTPONLY=True,
        # Links in mails must work; forms on other sites lack the token.
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=is_https,
        # The workbench's guard checks the token; there are no forms elsewhere.
        WTF_CSRF_CHECK_DEFAULT=False,
        # Tokens live as long as the session.
        WTF_CSRF_TIME_LIMIT=None,
        # A form may hold a whole survey. The web server's limit is the same.
        MAX_FORM_MEMORY_SIZE=2 * MAX_DOCUMENT_BYTES,
    )
    csrf.init_app(app)
    manager = LoginManager(app)
    # It would tie sessions to a hash of the address and the browser.
    manager.session_protection = None
    manager.user_loader(_load)


def begin(researcher: Researcher) -> None:
    """Log a researcher in, in a fresh session."""
    now = services().database.now
    session.clear()
    login_user(_Visitor(researcher))
    # Flask-Login's hash of address and browser.
    session.pop("_id", None)
    session.update(begun=now, seen=now)


def end() -> None:
    """Log the researcher out everywhere, so that copies of the cookie are worthless too."""
    services().database.write(accounts.end_sessions, me())
    session.clear()


def keep_alive() -> None:
    """Postpone the idle timeout; at most once a minute, so that few responses set the cookie."""
    now = services().database.now
    if session["seen"][:16] != now[:16]:
        session["seen"] = now


def is_logged_in() -> bool:
    return bool(current_user.is_authenticated)


def me() -> Researcher:
    """Return the researcher who sent this request."""
    researcher: Researcher = current_user.researcher
    return researcher


def _load(stamp: str) -> _Visitor | None:
    if _is_over(session):
        return None
    found = accounts.with_stamp(services().database.reader, stamp)
    return None if found is None else _Visitor(found)


def _is_over(kept: Any) -> bool:
    now = services().database.now
    return after(kept["seen"], IDLE_HOURS) <= now or after(kept["begun"], MOST_HOURS) <= now
