"""The editor page: one form for a whole draft, which can be saved even while it has faults."""

from typing import Any

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response

from client.authoring.draft.places import SurveyFile
from client.authoring.draft.survey import ReadDraft, read_draft
from client.core.groups import MAX_FACTORS
from client.core.primitives.refusal import Refusal
from client.core.survey import MAX_QUESTIONS, Survey
from estimators.planning.lint import lint_file
from server.store.researchers import manuscripts
from server.surveys.manuscripts import content_of, draft_of, title_of
from server.surveys.researchers import Manuscript
from server.web.requests import whole
from server.web.services import services
from server.workbench.blueprint import may_publish, may_write, require_writer, workbench
from server.workbench.editor.draft_changes import BUDGETS, apply_action, budget_of, index_after
from server.workbench.editor.form import (
    draft_in_form,
    editable,
    group_entries,
    question_entries,
    survey_entries,
)
from server.workbench.editor.groups import is_about_groups
from server.workbench.editor.languages import languages_of
from server.workbench.editor.preview import preview_of
from server.workbench.editor.remarks import Remark, remarks_of
from server.workbench.editor.wording import reason_of
from server.workbench.question_figures import figures_of
from server.workbench.rendering import render
from server.workbench.session import me

Draft = dict[str, Any]

# Buttons that save and then lead to another page.
STEPS = {"test": "workbench.test_page", "publish": "workbench.publish_page"}


@workbench.get("/manuscripts/<id>")
def editor(id: str) -> ResponseReturnValue:
    manuscript = manuscripts.find(services().database.reader, me(), id)
    return _page(manuscript, editable(draft_of(manuscript)))


@workbench.post("/manuscripts/<id>")
def save(id: str) -> ResponseReturnValue:
    manuscript = manuscripts.find(services().database.reader, me(), id)
    draft, action = _posted(manuscript), request.form.get("do", "save")
    try:
        services().database.write(
            manuscripts.save,
            me(),
            id,
            content_of(apply_action(draft, action)),
            whole(request.form.get("revision", ""), "revision"),
            whole(request.form.get("respondents", "").strip(), "respondents"),
        )
    except Refusal as refusal:
        if refusal.code not in ("manuscript_changed", "bad_respondents"):
            raise
        # Keep what was typed without overwriting what was saved elsewhere.
        status = 409 if refusal.code == "manuscript_changed" else 400
        return _page(manuscript, draft, refusal), status
    if request.form.get("do") == "save":
        flash("Saved.")
    if action in STEPS:
        return redirect(url_for(STEPS[action], id=id), 303)
    return redirect(url_for("workbench.editor", id=id, _anchor=_place(draft, action)), 303)


@workbench.get("/manuscripts/<id>/discard")
def discard_page(id: str) -> ResponseReturnValue:
    """Ask before discarding a draft: a single click must not cost hours of work."""
    manuscript = manuscripts.find(services().database.reader, me(), id)
    require_writer(manuscript)
    return render(
        "editor/discard.html", manuscript=manuscript, title=title_of(draft_of(manuscript))
    )


@workbench.post("/manuscripts/<id>/discard")
def discard(id: str) -> ResponseReturnValue:
    services().database.write(manuscripts.discard, me(), id)
    flash("The draft has been deleted.")
    return redirect(url_for("workbench.surveys"), 303)


def valid_survey(manuscript: Manuscript) -> Survey | None:
    """Return the survey that a manuscript describes; None while the draft has faults."""
    return read_draft(draft_of(manuscript)).survey


def redirect_to_problems(id: str) -> Response:
    flash("Saved, but something is still missing: see the list.")
    return redirect(url_for("workbench.editor", id=id, _anchor="problems"), 303)


def _posted(manuscript: Manuscript) -> Draft:
    """Return the draft in the posted form, based on the saved draft if that has not changed."""
    base = editable(draft_of(manuscript))
    count = whole(request.form.get("count", ""), "count")
    if request.form.get("revision") != str(manuscript.revision):
        factors = min(whole(request.form.get("factors", "0"), "factors"), MAX_FACTORS)
        base = {
            **base,
            "questions": [{} for _ in range(min(count, MAX_QUESTIONS))],
            "groups": {"factors": [{} for _ in range(factors)]},
        }
        if not factors:
            del base["groups"]
    return draft_in_form(base, request.form)


def _place(draft: Draft, action: str) -> str | None:
    """Return the anchor to show after an action: the added or moved question, or its neighbour."""
    if is_about_groups(action):
        return "groups"
    number = index_after(draft, action)
    return None if action == "save" else "questions" if number is None else f"question-{number + 1}"


def _page(manuscript: Manuscript, draft: Draft, refusal: Refusal | None = None) -> str:
    survey, questions = survey_entries(draft), question_entries(draft)
    sets_group, factors = group_entries(draft)
    parts = (*survey.values(), *questions, sets_group, *factors)
    entries = {entry.name: entry for part in parts for entry in part}
    file = SurveyFile(draft, {})
    problems = lint_file(file, "the survey", manuscript.respondents)
    remarks = remarks_of(draft, problems, entries, services().database.now)
    reading, preview = file.reading, preview_of(file.reading)
    is_writer = may_write(manuscript)
    return render(
        "editor/editor.html",
        manuscript=manuscript,
        # Keep the old revision: saving is refused until the page is loaded again.
        revision=request.form.get("revision", manuscript.revision),
        respondents=request.form.get("respondents", manuscript.respondents),
        title=title_of(draft),
        may_write=is_writer,
        may_publish=may_publish(manuscript, draft_of(manuscript)),
        entries=survey,
        questions=questions,
        sets_group=sets_group,
        factors=factors,
        most_factors=MAX_FACTORS,
        languages=languages_of(draft),
        budget=budget_of(draft),
        budgets=BUDGETS,
        reading=reading,
        figures=figures_of(reading.outline, manuscript.respondents) if reading.outline else None,
        preview=preview,
        left_out=_left_out(reading, preview),
        remarks=remarks,
        needed=sum(remark.is_needed for remark in remarks),
        # Viewers cannot change anything, so they are not told what to change.
        notes=_by_entry(remarks) if is_writer else {},
        refusal=refusal,
        reason=reason_of(refusal) if refusal else "",
    )


def _left_out(reading: ReadDraft, preview: Survey | None) -> str:
    """Name the questions that the preview leaves out, such as `questions 2, 3`."""
    if reading.outline is None or preview is None:
        return ""
    shown = {question.id for question in preview.questions}
    numbers = [
        str(number)
        for number, question in enumerate(reading.outline.questions, start=1)
        if question.id not in shown
    ]
    return f"question{'s' * (len(numbers) > 1)} {', '.join(numbers)}" if numbers else ""


def _by_entry(remarks: list[Remark]) -> dict[str, list[Remark]]:
    found: dict[str, list[Remark]] = {}
    for remark in remarks:
        found.setdefault(remark.entry, []).append(remark)
    return found
