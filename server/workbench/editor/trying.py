"""Putting a survey that is being written up as a test, where reports are taken and wiped."""

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from client.authoring.draft.survey import build_survey
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from server.errors import STATUS
from server.life.manuscripts import draft_of
from server.life.publishing import has_test_up, rehearse_as
from server.services import services
from server.store import Manuscript
from server.workbench.blueprint import workbench
from server.workbench.editor.editing import back_to_mend, sound_survey
from server.workbench.editor.phrases import reason_of
from server.workbench.editor.rights import require_writer
from server.workbench.rendering import render
from server.workbench.session import me


@workbench.get("/manuscripts/<id>/test")
def test_page(id: str) -> ResponseReturnValue:
    manuscript = services().office.manuscript(me(), id)
    require_writer(manuscript)
    survey = sound_survey(manuscript)
    return back_to_mend(id) if survey is None else _page(manuscript, survey)


@workbench.post("/manuscripts/<id>/test")
def test(id: str) -> ResponseReturnValue:
    manuscript = services().office.manuscript(me(), id)
    require_writer(manuscript)
    draft = draft_of(manuscript)
    survey = build_survey(draft)
    was_up = has_test_up(services(), me(), survey.slug)
    try:
        # A test promises nothing to anybody, and its page calls a weak survey weak.
        rehearse_as(services(), me(), draft, confirm_weak=True)
    except Refusal as refusal:
        return _page(manuscript, survey, refusal), STATUS.get(refusal.code, 400)
    # That a test is up says the page itself; another one in its place looks the same.
    if was_up:
        flash("The present text is up now. The reports of the test before are wiped.")
    return redirect(url_for("workbench.test_page", id=id), 303)


def _page(manuscript: Manuscript, survey: Survey, refusal: Refusal | None = None) -> str:
    is_up = has_test_up(services(), me(), survey.slug)
    address = f"{request.url_root}t/{survey.slug}" if is_up else ""
    reason = reason_of(refusal) if refusal else ""
    return render(
        "editor/test.html", manuscript=manuscript, survey=survey, address=address, reason=reason
    )
