"""The tabs of a survey's page. A new tab is one line here and a view with the same endpoint."""

from dataclasses import dataclass

from flask import request, url_for

from server.store import Role


@dataclass(frozen=True)
class Tab:
    """A page about one survey, for those who have at least this role."""

    title: str
    view: str
    role: Role = Role.VIEWER
    # Views that show the same page when they refuse something.
    refusing: tuple[str, ...] = ()

    @property
    def endpoint(self) -> str:
        return f"workbench.{self.view}"

    @property
    def is_shown(self) -> bool:
        return request.endpoint in {f"workbench.{view}" for view in (self.view, *self.refusing)}


# In the order in which they are shown.
TABS = (
    Tab("Overview", "survey"),
    Tab("Invitations", "invitations"),
    Tab("Results", "results"),
    Tab("Export", "export"),
    Tab("People", "people", refusing=("give_role", "take_role")),
    Tab("Log", "log"),
)


def tabs_for(role: Role, slug: str) -> list[tuple[str, str, bool]]:
    """Title and address of each tab, and whether it is the one that is shown."""
    return [
        (tab.title, url_for(tab.endpoint, slug=slug), tab.is_shown)
        for tab in TABS
        if role.includes(tab.role)
    ]
