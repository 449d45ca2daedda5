"""Human pages for what cannot be shown: what happened, what can be done, and where to look."""

from flask import render_template, request

from server.web.languages import say
from server.web.urls import in_workbench

# Refusals that have texts of their own in the catalogue; the others repeat what programs hear.
_WITH_TEXTS = frozenset(
    {
        "failed",
        "not_found",
        "results_sealed",
        "storage_unavailable",
        "survey_archived",
        "survey_closed",
        "survey_not_open",
        "survey_purged",
        "survey_trashed",
        "unknown_group",
        "unknown_survey",
        "unknown_test",
    }
)


def notice(code: str, message: str = "", results: str = "", **values: str) -> str:
    """The page for a refusal. `results` is the address of the results, where there are any."""
    if in_workbench(request.path):
        return render_template("workbench/notice.html", code=code, message=message)
    name = "unknown_test" if code == "unknown_survey" and _is_test() else code
    if name not in _WITH_TEXTS:
        return render_template("notice.html", title=say("page.other.heading"), technical=message)
    return render_template(
        "notice.html",
        title=say(f"page.{name}.heading"),
        message=say(f"page.{name}.text", **values),
        advice=say(f"page.{name}.advice"),
        results=results or (_results_of_all() if code == "unknown_group" else ""),
    )


def _results_of_all() -> str:
    """Where the results of all groups together are."""
    return f"/{'t' if _is_test() else 's'}/{(request.view_args or {})['slug']}/results"


def _is_test() -> bool:
    return bool((request.view_args or {}).get("test"))
