"""Rendering of the workbench's pages: templates, tabs and static files."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from flask import render_template, request, url_for
from flask.blueprints import BlueprintSetupState
from flask.typing import ResponseReturnValue

from client.browser.bundle import File, style
from client.core.primitives.values import decimal_text
from client.wording.levels import level_name
from client.wording.mechanisms import sends
from server.store import reading
from server.store.researchers import access
from server.surveys.researchers import Role
from server.web.services import services
from server.web.static_files import file_for_ever
from server.web.urls import ADDRESS, in_workbench
from server.workbench.blueprint import open_to_all, workbench
from server.workbench.next_step import next_step
from server.workbench.session import is_logged_in, me

FOLDER = files("server") / "static"


@dataclass(frozen=True)
class Tab:
    """A page about one survey, shown to researchers with at least this role."""

    title: str
    view: str
    role: Role = Role.VIEWER
    # Views that show the same page again when they refuse something, or a page below it.
    refusing: tuple[str, ...] = ()

    @property
    def endpoint(self) -> str:
        return f"workbench.{self.view}"

    @property
    def is_shown(self) -> bool:
        return request.endpoint in {f"workbench.{view}" for view in (self.view, *self.refusing)}


# In the order of the page.
TABS = (
    Tab("Overview", "survey"),
    Tab("Invitations", "invitations", refusing=("invite_people", "make_mailing")),
    Tab("Results", "results"),
    Tab("Compare", "compare"),
    Tab("Cross-table", "cross_table"),
    Tab("Export", "export"),
    Tab("Paperwork", "paperwork", refusing=("paperwork_file",)),
    Tab("People", "people", refusing=("give_role", "take_role")),
    Tab("Log", "log"),
)


def tabs_for(role: Role, slug: str) -> list[tuple[str, str, bool]]:
    """Return title and address of each tab, and whether it is the current one."""
    return [
        (tab.title, url_for(tab.endpoint, slug=slug), tab.is_shown)
        for tab in TABS
        if role.includes(tab.role)
    ]


@cache
def own_file(name: str) -> File:
    """Return a file of `server/static` by its name, such as workbench.css."""
    content = (FOLDER / name).read_bytes()
    if name == "workbench.css":
        content = style().encode() + content
    return File(content, name.rpartition(".")[2])


def static_address(name: str) -> str:
    """Return the address of a file of `server/static`."""
    return f"{ADDRESS}/static/{own_file(name).name}"


@cache
def _files() -> dict[str, File]:
    found = (own_file(path.name) for path in FOLDER.iterdir())
    return {item.name: item for item in found}


@workbench.get("/static/<name>")
@open_to_all
def static_file(name: str) -> ResponseReturnValue:
    return file_for_ever(_files(), name)


@workbench.record
def _add_template_globals(state: BlueprintSetupState) -> None:
    """Add the functions that templates and their macros call."""
    state.app.jinja_env.globals.update(
        decimal_text=decimal_text,
        sends=sends,
        level_name=level_name,
        next_step_of=next_step,
        static=static_address,
    )


@workbench.app_context_processor
def _visitor() -> dict[str, Any]:
    """Give templates the name of the logged-in researcher, also on error pages."""
    is_known = in_workbench(request.path) and is_logged_in()
    return {"visitor": me().name if is_known else None}


def render(template: str, **values: Any) -> str:
    """Render a page of `templates/workbench`."""
    return render_template(f"workbench/{template}", **values)


def render_tab(template: str, slug: str, **values: Any) -> str:
    """Render a page about one survey, with its newest version, the researcher's role and tabs."""
    role = access.require_role(services().database.reader, me(), slug, Role.VIEWER)
    return render(
        template,
        published=reading.newest(services().database.reader, slug),
        role=role,
        tabs=tabs_for(role, slug),
        **values,
    )
