"""The People tab: who works on a survey, and how its owners give and take roles."""

from flask import flash, redirect, url_for
from flask.typing import ResponseReturnValue

from client.core.primitives.refusal import Refusal
from server.store.researchers import access
from server.surveys.researchers import Role
from server.web.errors import STATUS
from server.web.services import services
from server.workbench.blueprint import needs, workbench
from server.workbench.forms import ConfirmForm, RoleForm
from server.workbench.rendering import render_tab
from server.workbench.session import me


@workbench.get("/surveys/<slug>/people")
def people(slug: str) -> ResponseReturnValue:
    return _page(slug, RoleForm())


@workbench.post("/surveys/<slug>/people")
@needs(Role.OWNER)
def give_role(slug: str) -> ResponseReturnValue:
    form = RoleForm()
    if not form.validate():
        return _page(slug, form), 400
    name = form.name.data.strip().lower()
    try:
        services().database.write(
            access.give_role, slug, name, Role.named(form.role.data), me().name
        )
    except Refusal as refusal:
        form.name.errors = [refusal.message]
        return _page(slug, form), 400
    flash(f"{name} now has the role {form.role.data}.")
    return redirect(url_for("workbench.people", slug=slug), 303)


@workbench.post("/surveys/<slug>/people/<researcher>/remove")
@needs(Role.OWNER)
def take_role(slug: str, researcher: str) -> ResponseReturnValue:
    try:
        services().database.write(access.take_role, slug, researcher, me().name)
    except Refusal as refusal:
        return _page(slug, RoleForm(formdata=None), refusal.message), STATUS.get(refusal.code, 400)
    flash(f"{researcher} no longer has a role in this survey.")
    # Somebody who removed themselves may no longer see this page.
    away = url_for("workbench.surveys")
    here = url_for("workbench.people", slug=slug)
    return redirect(away if researcher == me().name else here, 303)


def _page(slug: str, form: RoleForm, not_removed: str = "") -> str:
    return render_tab(
        "people.html",
        slug,
        form=form,
        remove=ConfirmForm(),
        people=access.people(services().database.reader, slug),
        explained=EXPLAINED,
        not_removed=not_removed,
    )


EXPLAINED = {
    Role.VIEWER: "can read the results and the log",
    Role.EDITOR: "can also edit the survey and invite people",
    Role.OWNER: "can also publish, close and archive it, and give roles",
}
