"""What a researcher may do with a survey that is being written: no page offers more than that."""

from typing import Any

from server.services import services
from server.store import Manuscript, Role
from server.workbench.session import me

Draft = dict[str, Any]


def may_write(manuscript: Manuscript) -> bool:
    return _role_in(manuscript).includes(Role.EDITOR)


def may_publish(manuscript: Manuscript, draft: Draft) -> bool:
    return _role_in(manuscript).includes(_publisher(manuscript, draft))


def require_writer(manuscript: Manuscript) -> None:
    _require(manuscript, Role.EDITOR)


def require_publisher(manuscript: Manuscript, draft: Draft) -> None:
    _require(manuscript, _publisher(manuscript, draft))


def _publisher(manuscript: Manuscript, draft: Draft) -> Role:
    """Owners alone replace what is published; under another name it is a survey of its own."""
    return Role.OWNER if draft.get("slug") == manuscript.slug else Role.EDITOR


def _role_in(manuscript: Manuscript) -> Role:
    """A new survey is its author's; the next version is of all who work on the one before."""
    if manuscript.slug is None:
        return Role.OWNER
    return services().office.require_role(me(), manuscript.slug, Role.VIEWER)


def _require(manuscript: Manuscript, role: Role) -> None:
    if manuscript.slug is not None:
        services().office.require_role(me(), manuscript.slug, role)
