"""The cookie of a browser that somebody has logged in with before, sent to the login alone."""

from flask import current_app, request, url_for
from werkzeug.wrappers import Response

from server.accounts.devices import cookie_for, known_device
from server.services import services

# Whoever stays away for longer is a stranger again; each login begins anew.
SECONDS = 180 * 24 * 3600


def device_for(name: str) -> str | None:
    """The browser that asks, if this name has logged in with it before."""
    cookie = request.cookies.get(_name(), "")
    hash = services().office.password_hash(name)
    return known_device(services().session_key, cookie, name, hash)


def remember_device(response: Response, name: str) -> Response:
    """Let the browser that gets this answer be known from now on."""
    hash = services().office.password_hash(name)
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
