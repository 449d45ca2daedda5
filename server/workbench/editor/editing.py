"""The editor: one form for a whole survey that is being written. Whatever it shows can be saved."""

from typing import Any

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response

from client.authoring.draft.places import SurveyFile
from client.authoring.draft.survey import ReadDraft, read_draft
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from estimators.planning.lint import lint_file
from server.store.researchers import manuscripts
from server.surveys.manuscripts import content_of, draft_of, title_of
from server.surveys.researchers import Manuscript
from server.web.requests import whole
from server.web.services import services
from server.workbench.blueprint import may_publish, may_write, require_writer, workbench
from server.workbench.editor.draft_changes import WAYS, carry_out, place_after, way_of
from server.workbench.editor.form import (
    draft_in_form,
    editable,
    question_entries,
    survey_entries,
)
from server.workbench.editor.languages import languages_of
from server.workbench.editor.preview import preview_of
from server.workbench.editor.remarks import Remark, remarks_of
from server.workbench.editor.wording import reason_of
from server.workbench.question_figures import figures_of
from server.workbench.rendering import render
from server.workbench.session import me

Draft = dict[str, Any]

# Buttons that lead on, once all is saved.
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
            content_of(carry_out(draft, action)),
            whole(request.form.get("revision", ""), "revision"),
            whole(request.form.get("respondents", "").strip(), "respondents"),
        )
    except Refusal as refusal:
        if refusal.code not in ("manuscript_changed", "bad_respondents"):
            raise
        # Nothing that was typed is lost, but nothing of the other's is overwritten either.
        status = 409 if refusal.code == "manuscript_changed" else 400
        return _page(manuscript, draft, refusal), status
    if request.form.get("do") == "save":
        flash("Saved.")
    if action in STEPS:
        return redirect(url_for(STEPS[action], id=id), 303)
    return redirect(url_for("workbench.editor", id=id, _anchor=_place(draft, action)), 303)


@workbench.get("/manuscripts/<id>/discard")
def discard_page(id: str) -> ResponseReturnValue:
    """One press beside the downloads must not cost hours of writing."""
    manuscript = manuscripts.find(services().database.reader, me(), id)
    require_writer(manuscript)
    return render(
        "editor/discard.html", manuscript=manuscript, title=title_of(draft_of(manuscript))
    )


@workbench.post("/manuscripts/<id>/discard")
def discard(id: str) -> ResponseReturnValue:
    services().database.write(manuscripts.discard, me(), id)
    flash("What was written is gone.")
    return redirect(url_for("workbench.surveys"), 303)


def sound_survey(manuscript: Manuscript) -> Survey | None:
    """What could be tried or published; None as long as something is wrong with it."""
    return read_draft(draft_of(manuscript)).survey


def back_to_mend(id: str) -> Response:
    flash("It is saved, but something is still missing: see the list.")
    return redirect(url_for("workbench.editor", id=id, _anchor="problems"), 303)


def _posted(manuscript: Manuscript) -> Draft:
    """The draft in the form; on the ground of the one that was shown, if that is still there."""
    base = editable(draft_of(manuscript))
    count = whole(request.form.get("count", ""), "count")
    if request.form.get("revision") != str(manuscript.revision):
        base = {**base, "questions": [{} for _ in range(min(count, 100))]}
    return draft_in_form(base, request.form)


def _place(draft: Draft, action: str) -> str | None:
    """Where to look after a step: at the question that was added, moved, or stands there now."""
    number = place_after(draft, action)
    return None if action == "save" else "questions" if number is None else f"question-{number + 1}"


def _page(manuscript: Manuscript, draft: Draft, refusal: Refusal | None = None) -> str:
    survey, questions = survey_entries(draft), question_entries(draft)
    entries = {entry.name: entry for part in (*survey.values(), *questions) for entry in part}
    file = SurveyFile(draft, {})
    problems = lint_file(file, "the survey", manuscript.respondents)
    remarks = remarks_of(draft, problems, entries, services().database.now)
    reading, preview = file.reading, preview_of(file.reading)
    is_writer = may_write(manuscript)
    return render(
        "editor/editor.html",
        manuscript=manuscript,
        # A save on old ground is refused again, until the page is loaded anew.
        revision=request.form.get("revision", manuscript.revision),
        respondents=request.form.get("respondents", manuscript.respondents),
        title=title_of(draft),
        may_write=is_writer,
        may_publish=may_publish(manuscript, draft_of(manuscript)),
        entries=survey,
        questions=questions,
        languages=languages_of(draft),
        budget=way_of(draft),
        budgets=WAYS,
        reading=reading,
        figures=figures_of(reading.outline, manuscript.respondents) if reading.outline else None,
        preview=preview,
        left_out=_left_out(reading, preview),
        remarks=remarks,
        needed=sum(remark.is_needed for remark in remarks),
        # Whoever cannot mend it is not told to.
        said=_by_entry(remarks) if is_writer else {},
        refusal=refusal,
        reason=reason_of(refusal) if refusal else "",
    )


def _left_out(reading: ReadDraft, preview: Survey | None) -> str:
    """The numbers of the questions that the preview does not show."""
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
