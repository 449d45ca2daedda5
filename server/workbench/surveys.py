"""The first page: the surveys that a researcher has a part in."""

from flask.typing import ResponseReturnValue

from server.services import services
from server.store import Published, Role
from server.workbench.blueprint import workbench
from server.workbench.rendering import render
from server.workbench.session import me


@workbench.get("")
def surveys() -> ResponseReturnValue:
    return render("surveys.html", surveys=_mine())


def _mine() -> list[tuple[Published, Role]]:
    """Each survey with the researcher's role."""
    return [
        (services().store.latest(membership.slug), membership.role)
        for membership in services().office.memberships(me())
    ]
