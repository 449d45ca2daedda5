"""The editor: one form for a whole survey that is being written. Whatever it shows can be saved."""

from typing import Any

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response

from client.draft import build_survey
from client.lint import Problem
from client.refusal import Refusal
from client.survey import Survey
from estimators.lint import looked_through
from server.guards import whole
from server.life.manuscripts import content_of, draft_of
from server.services import services
from server.store import Manuscript
from server.workbench.blueprint import workbench
from server.workbench.editor.beginning import title_of
from server.workbench.editor.budget import WAYS, way_of
from server.workbench.editor.figures import figures_of
from server.workbench.editor.form import (
    carry_out,
    editable,
    question_entries,
    read_draft,
    survey_entries,
)
from server.workbench.editor.languages import languages_of
from server.workbench.rendering import render
from server.workbench.session import me

Draft = dict[str, Any]

# Buttons that lead on, once all is saved.
STEPS = {"test": "workbench.test_page", "publish": "workbench.publish_page"}


@workbench.get("/manuscripts/<id>")
def editor(id: str) -> ResponseReturnValue:
    manuscript = services().office.manuscript(me(), id)
    return _page(manuscript, editable(draft_of(manuscript)))


@workbench.post("/manuscripts/<id>")
def save(id: str) -> ResponseReturnValue:
    manuscript = services().office.manuscript(me(), id)
    draft, deed = _posted(manuscript), request.form.get("do", "save")
    try:
        services().office.save_manuscript(
            me(),
            id,
            content_of(carry_out(draft, deed)),
            whole(request.form.get("revision", ""), "revision"),
            whole(request.form.get("respondents", "").strip(), "respondents"),
        )
    except Refusal as refusal:
        if refusal.code not in ("manuscript_changed", "bad_respondents"):
            raise
        # Nothing that was typed is lost, but nothing of the other's is overwritten either.
        status = 409 if refusal.code == "manuscript_changed" else 400
        return _page(manuscript, draft, refusal), status
    if deed in STEPS:
        return redirect(url_for(STEPS[deed], id=id), 303)
    return redirect(url_for("workbench.editor", id=id, _anchor=_place(draft, deed)), 303)


@workbench.post("/manuscripts/<id>/discard")
def discard(id: str) -> ResponseReturnValue:
    services().office.discard_manuscript(me(), id)
    flash("What was written is gone.")
    return redirect(url_for("workbench.surveys"), 303)


def sound_survey(manuscript: Manuscript) -> Survey | None:
    """What could be tried or published; None as long as something is wrong with it."""
    try:
        return build_survey(draft_of(manuscript))
    except Refusal:
        return None


def back_to_mend(id: str) -> Response:
    flash("It is saved, but some faults have to be mended first.")
    return redirect(url_for("workbench.editor", id=id), 303)


def _posted(manuscript: Manuscript) -> Draft:
    """The draft in the form; on the ground of the one that was shown, if that is still there."""
    base = editable(draft_of(manuscript))
    count = whole(request.form.get("count", ""), "count")
    if request.form.get("revision") != str(manuscript.revision):
        base = {**base, "questions": [{} for _ in range(min(count, 100))]}
    return read_draft(base, request.form)


def _place(draft: Draft, deed: str) -> str | None:
    """Where to look after a step."""
    if deed == "add":
        return f"question-{len(draft['questions']) + 1}"
    return None if deed == "save" else "questions"


def _page(manuscript: Manuscript, draft: Draft, refusal: Refusal | None = None) -> str:
    survey, problems = looked_through(draft, manuscript.respondents)
    return render(
        "editor/editor.html",
        manuscript=manuscript,
        # A save on old ground is refused again, until the page is loaded anew.
        revision=request.form.get("revision", manuscript.revision),
        respondents=request.form.get("respondents", manuscript.respondents),
        title=title_of(draft),
        entries=survey_entries(draft),
        questions=question_entries(draft),
        ids=[question.get("id", "") for question in draft["questions"]],
        languages=languages_of(draft),
        budget=way_of(draft),
        budgets=WAYS,
        survey=survey,
        figures=figures_of(survey, manuscript.respondents) if survey else None,
        problems=problems,
        said=_by_field(problems),
        refusal=refusal,
    )


def _by_field(problems: tuple[Problem, ...]) -> dict[str, list[Problem]]:
    found: dict[str, list[Problem]] = {}
    for problem in problems:
        found.setdefault(problem.field, []).append(problem)
    return found
