"""Putting a survey that is being written up as a test, where reports are taken and wiped."""

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from server.life.manuscripts import draft_of
from server.life.publishing import rehearse_as
from server.services import services
from server.workbench.blueprint import workbench
from server.workbench.editor.editing import back_to_mend, sound_survey
from server.workbench.rendering import render
from server.workbench.session import me


@workbench.get("/manuscripts/<id>/test")
def test_page(id: str) -> ResponseReturnValue:
    manuscript = services().office.manuscript(me(), id)
    survey = sound_survey(manuscript)
    if survey is None:
        return back_to_mend(id)
    is_up = services().drafts.next_version(survey.slug) > 1
    address = f"{request.url_root}t/{survey.slug}" if is_up else ""
    return render("editor/test.html", manuscript=manuscript, survey=survey, address=address)


@workbench.post("/manuscripts/<id>/test")
def test(id: str) -> ResponseReturnValue:
    draft = draft_of(services().office.manuscript(me(), id))
    # A test promises nothing to anybody, and its page calls a weak survey weak.
    rehearse_as(services(), me(), draft, confirm_weak=True)
    flash("The test is up.")
    return redirect(url_for("workbench.test_page", id=id), 303)
