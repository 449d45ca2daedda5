"""Logging in and out."""

import re
from urllib.parse import unquote

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue

from client.core.primitives.refusal import Refusal
from server.accounts.entering import check_password
from server.errors import STATUS
from server.services import services
from server.workbench import session
from server.workbench.address import ADDRESS
from server.workbench.blueprint import open_to_all, workbench
from server.workbench.device_cookie import device_for, remember_device
from server.workbench.forms import LoginForm
from server.workbench.rendering import render

# A path of the workbench itself: no other host, no step upwards, nothing that browsers read anew.
_OWN_PATH = re.compile(ADDRESS + r"(?:[/?][\w/?=&%+.-]*)?", re.ASCII)


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
    return remember_device(redirect(_wished(request.args.get("next", "")), 303), name)


@workbench.post("/logout")
def logout() -> ResponseReturnValue:
    session.end()
    return redirect(url_for("workbench.login"), 303)


def _wished(path: str) -> str:
    """Where somebody wanted to go before they had to log in."""
    # Browsers read %2e as a dot, so %2e%2e is a step upwards, too.
    plain = unquote(path)
    own = _OWN_PATH.fullmatch(path) and "//" not in plain and ".." not in plain
    return path if own else url_for("workbench.surveys")
