"""What every page of the workbench is rendered with."""

from typing import Any

from flask import render_template
from flask.blueprints import BlueprintSetupState

from client.core.primitives.values import decimal_text
from client.wording.catalogue import level_name
from server.services import services
from server.store import Role
from server.workbench.blueprint import workbench
from server.workbench.next_step import next_step
from server.workbench.session import is_logged_in, me
from server.workbench.static import address
from server.workbench.tabs import tabs_for


@workbench.record
def _furnish(state: BlueprintSetupState) -> None:
    """What templates and their macros may call."""
    state.app.jinja_env.globals.update(
        decimal_text=decimal_text,
        level_name=level_name,
        next_step_of=next_step,
        static=address,
    )


def render(template: str, **values: Any) -> str:
    """A page of `templates/workbench`."""
    visitor = me().name if is_logged_in() else None
    return render_template(f"workbench/{template}", visitor=visitor, **values)


def render_tab(template: str, slug: str, **values: Any) -> str:
    """A page about one survey: with its newest version, the researcher's role and the tabs."""
    role = services().office.require_role(me(), slug, Role.VIEWER)
    return render(
        template,
        published=services().store.latest(slug),
        role=role,
        tabs=tabs_for(role, slug),
        **values,
    )
