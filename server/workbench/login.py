"""Logging in and out, and the cookie that makes a browser known at the next login."""

import re
from urllib.parse import unquote

from flask import current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response

from client.core.primitives.refusal import Refusal
from server.accounts import login_link
from server.accounts.login import check_password, cookie_for, known_device
from server.store.researchers import accounts
from server.web.errors import STATUS
from server.web.services import services
from server.web.urls import ADDRESS
from server.workbench import session
from server.workbench.blueprint import open_to_all, workbench
from server.workbench.forms import ConfirmForm, LoginForm
from server.workbench.rendering import render

# How long a browser stays known after its latest login.
SECONDS = 180 * 24 * 3600
# A path within the workbench: no other host, and nothing that browsers interpret differently.
_OWN_PATH = re.compile(ADDRESS + r"(?:[/?][\w/?=&%+.-]*)?", re.ASCII)


def device_for(name: str) -> str | None:
    """Return the id of the requesting browser if this name has logged in with it before."""
    cookie = request.cookies.get(_name(), "")
    hash = accounts.password_hash(services().database.reader, name)
    return known_device(services().session_key, cookie, name, hash)


def remember_device(response: Response, name: str) -> Response:
    """Set the cookie that makes the browser receiving this response known from now on."""
    hash = accounts.password_hash(services().database.reader, name)
    if hash is not None:
        response.set_cookie(
            _name(),
            cookie_for(services().session_key, name, hash),
            max_age=SECONDS,
            path=url_for("workbench.login"),
            secure=_is_https(),
            httponly=True,
            samesite="Strict",
        )
    return response


def _name() -> str:
    return "__Secure-candor-device" if _is_https() else "candor-device"


def _is_https() -> bool:
    return bool(current_app.config["SESSION_COOKIE_SECURE"])


@workbench.route("/login", methods=["GET", "POST"])
@open_to_all
def login() -> ResponseReturnValue:
    form = LoginForm()
    if not form.validate_on_submit():
        return render("login.html", form=form)
    name = form.name.data.strip().lower()
    try:
        session.begin(check_password(services(), name, form.password.data, device=device_for(name)))
    except Refusal as refusal:
        form.password.errors = [refusal.message]
        return render("login.html", form=form), STATUS.get(refusal.code, 403)
    return remember_device(redirect(_next_page(request.args.get("next", "")), 303), name)


@workbench.route("/login/once", methods=["GET", "POST"])
@open_to_all
def login_once() -> ResponseReturnValue:
    """Log in by the operator's link; a button does it, since programs look at links in mails."""
    form = ConfirmForm()
    name = request.args.get("name", "")
    if not form.validate_on_submit():
        return render("login_once.html", form=form, name=name)
    given = request.args.get("until", ""), request.args.get("proof", "")
    session.begin(login_link.use(services(), name, *given))
    return remember_device(redirect(url_for("workbench.surveys"), 303), name)


@workbench.post("/logout")
def logout() -> ResponseReturnValue:
    session.end()
    return redirect(url_for("workbench.login"), 303)


def _next_page(path: str) -> str:
    """Return the page to show after the login: `path` if it is within the workbench."""
    # Browsers read %2e as a dot, so %2e%2e leads upwards too.
    plain = unquote(path)
    own = _OWN_PATH.fullmatch(path) and "//" not in plain and ".." not in plain
    return path if own else url_for("workbench.surveys")
