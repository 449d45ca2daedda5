"""The account page: change the password, make API keys (shown once) and revoke them."""

from flask import flash, redirect, url_for
from flask.typing import ResponseReturnValue

from client.core.primitives.refusal import Refusal, require
from server.accounts.login import check_password
from server.accounts.passwords import hash_new
from server.store.researchers import accounts, api_keys
from server.surveys.researchers import Scope
from server.web.errors import STATUS
from server.web.services import services
from server.workbench import session
from server.workbench.blueprint import workbench
from server.workbench.forms import ConfirmForm, KeyForm, PasswordForm
from server.workbench.login import remember_device
from server.workbench.rendering import render
from server.workbench.session import me


@workbench.get("/account")
def account() -> ResponseReturnValue:
    return _page()


@workbench.post("/account/password")
def change_password() -> ResponseReturnValue:
    form, name = PasswordForm(), me().name
    if not form.validate():
        return _page(password_form=form), 400
    try:
        require(form.new.data == form.again.data, "passwords_differ", "password")
        # A logged-in researcher counts as a known device, so strangers cannot lock them out.
        check_password(services(), name, form.old.data, device=me().stamp)
        services().database.write(
            accounts.change_password, name, hash_new(form.new.data, name), name
        )
    except Refusal as refusal:
        field = form.again if refusal.field == "password" else form.old
        # The usual sentence speaks of a name, which this form does not ask for.
        wrong = refusal.code == "wrong_password"
        field.errors = ["This is not your current password." if wrong else refusal.message]
        return _page(password_form=form), STATUS.get(refusal.code, 400)
    # The change ended all sessions; begin this one again.
    session.begin(accounts.named(services().database.reader, name))
    flash("Your password has been changed, and you are logged out everywhere else.")
    return remember_device(redirect(url_for("workbench.account"), 303), name)


@workbench.post("/account/keys")
def make_key() -> ResponseReturnValue:
    form = KeyForm()
    if not form.validate():
        return _page(key_form=form), 400
    try:
        _, text = services().database.write(
            api_keys.make, me(), form.label.data, Scope.named(form.scope.data)
        )
    except Refusal as refusal:
        form.label.errors = [refusal.message]
        return _page(key_form=form), 400
    # No redirect: the key's text exists only in this response.
    return _page(new_key=text), 201


@workbench.post("/account/keys/<int:key>/revoke")
def revoke_key(key: int) -> ResponseReturnValue:
    services().database.write(api_keys.revoke, me(), key)
    flash("The key has been revoked.")
    return redirect(url_for("workbench.account"), 303)


def _page(
    password_form: PasswordForm | None = None,
    key_form: KeyForm | None = None,
    new_key: str | None = None,
) -> str:
    return render(
        "account.html",
        password_form=password_form or PasswordForm(),
        # An empty form: the next key has another purpose.
        key_form=key_form or KeyForm(formdata=None),
        revoke=ConfirmForm(),
        keys=[key for key in api_keys.of(services().database.reader, me()) if not key.is_revoked],
        new_key=new_key,
    )
