"""Publishing a draft: the checks that come before the store, the same for every way in."""

from typing import Any

from client import wording
from client.decimals import decimal_text
from client.draft import build_survey
from client.refusal import Refusal
from server.store import Publication, Store


def publish_draft(
    store: Store, draft: dict[str, Any], new_version: bool = False, confirm_weak: bool = False
) -> Publication:
    """Open the survey that a draft describes."""
    check_draft(draft, confirm_weak)
    return store.publish(lambda version: build_survey(draft, version), new_version)


def check_draft(draft: dict[str, Any], confirm_weak: bool) -> None:
    """Refuse what cannot be published. A weak survey needs its author's word."""
    survey = build_survey(draft)
    level = wording.level(survey.total_epsilon)
    if level == "weak" and not confirm_weak:
        raise Refusal(
            "weak_not_confirmed",
            f"a total epsilon of {decimal_text(survey.total_epsilon)} is {level} "
            "protection, and the page will say so; confirm it with --confirm-weak, "
            "or lower the epsilons",
            "total_epsilon",
        )
