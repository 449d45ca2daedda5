"""Sessions of researchers: a signed cookie for /workbench alone, which ends.

It ends after some idle hours, after some days in any case, at once when the researcher logs out,
is disabled or has a new password, and with the browser.
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
    """Elsewhere there is no session: whoever tried to write to one would fail."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        return super().open_session(app, request) if in_workbench(request.path) else None


class _Visitor(UserMixin):  # type: ignore[misc]
    """A researcher as Flask-Login wants to see them; known by the stamp, which changes."""

    def __init__(self, researcher: Researcher) -> None:
        self.researcher = researcher

    def get_id(self) -> str:
        return self.researcher.stamp


def keep_sessions(app: Flask, key: bytes, is_https: bool) -> None:
    """Sessions and protected forms for the workbench of an application."""
    app.secret_key = key
    app.session_interface = _SessionsOfWorkbench()
    app.config.update(
        SESSION_COOKIE_NAME="__Secure-candor" if is_https else "candor",
        SESSION_COOKIE_PATH=ADDRESS,
        SESSION_COOKIE_HTTPONLY=True,
        # A link in a mail may lead here; forms of other sites lack the token.
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=is_https,
        # The guard of the workbench asks for the token; elsewhere there are no forms.
        WTF_CSRF_CHECK_DEFAULT=False,
        # As long as the session lives.
        WTF_CSRF_TIME_LIMIT=None,
        # A whole survey may be one form; the web server's own limit is as high.
        MAX_FORM_MEMORY_SIZE=2 * MAX_DOCUMENT_BYTES,
    )
    csrf.init_app(app)
    manager = LoginManager(app)
    # It would tie a session to a hash of the address.
    manager.session_protection = None
    manager.user_loader(_load)


def begin(researcher: Researcher) -> None:
    """Log a researcher in, in a session that has nothing of the one before."""
    now = services().database.now
    session.clear()
    login_user(_Visitor(researcher))
    # Flask-Login's hash of address and agent.
    session.pop("_id", None)
    session.update(begun=now, seen=now)


def end() -> None:
    """Log out, wherever the researcher is logged in: also a copy of the cookie is worth nothing."""
    services().database.write(accounts.end_sessions, me())
    session.clear()


def stay() -> None:
    """Somebody is still there; to the minute, so that not every answer sets the cookie anew."""
    now = services().database.now
    if session["seen"][:16] != now[:16]:
        session["seen"] = now


def is_logged_in() -> bool:
    return bool(current_user.is_authenticated)


def me() -> Researcher:
    """The researcher who sent this request."""
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
