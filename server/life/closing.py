"""Closing, at once or with a grace, the same for every way in."""

from typing import Any

from server.life.summary import closing_summary, state_summary
from server.store import Store
from server.store.audit_log import OPERATOR


def close_survey(
    store: Store, slug: str, grace: str | None, actor: str = OPERATOR
) -> dict[str, Any]:
    """The final figures; or, with so many hours of grace, when there will be some."""
    if grace is None:
        return closing_summary(store.close_survey(slug, actor))
    return state_summary(store.begin_closing(slug, grace, actor))
