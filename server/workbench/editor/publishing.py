"""The pages that publish a survey, after showing its whole promise, or put it up as a test."""

from typing import Any

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from client.authoring.draft.survey import build_survey
from client.core.primitives.refusal import Refusal, require
from client.core.primitives.values import decimal_text
from client.core.survey import Survey
from client.wording.catalogue import ENGLISH
from client.wording.levels import is_weak
from estimators.planning.lint import shortage_words
from server.lifecycle.publishing import has_test_up, put_up_test
from server.lifecycle.publishing import publish as publish_survey
from server.store import reading
from server.store.researchers import manuscripts
from server.surveys.manuscripts import draft_of
from server.surveys.researchers import Author, Manuscript
from server.surveys.schedule import Schedule
from server.web.errors import STATUS
from server.web.requests import public_root, whole
from server.web.services import services
from server.workbench.blueprint import require_publisher, require_writer, workbench
from server.workbench.editor.editing import redirect_to_problems, valid_survey
from server.workbench.editor.naming import choices
from server.workbench.editor.wording import reason_of
from server.workbench.question_figures import figures_of
from server.workbench.rendering import render
from server.workbench.session import me

Draft = dict[str, Any]


@workbench.get("/manuscripts/<id>/publish")
def publish_page(id: str) -> ResponseReturnValue:
    manuscript = manuscripts.find(services().database.reader, me(), id)
    require_publisher(manuscript, draft_of(manuscript))
    survey = valid_survey(manuscript)
    # Publishing needs a day of deletion.
    return _page(manuscript, survey) if survey and survey.delete_on else redirect_to_problems(id)


@workbench.post("/manuscripts/<id>/publish")
def publish(id: str) -> ResponseReturnValue:
    manuscript = manuscripts.find(services().database.reader, me(), id)
    survey = build_survey(draft_of(manuscript))
    try:
        _require_confirmation(manuscript, survey)
        publish_survey(
            services(),
            survey,
            new_version=manuscript.slug == survey.slug,
            confirm_weak=True,
            schedule=_schedule(),
            # From then on the manuscript belongs to the survey: the next version begins with it.
            author=Author(me(), id),
        )
    except Refusal as refusal:
        return _page(manuscript, survey, refusal), 400
    flash("The survey is published. Its questions and promises can no longer change.")
    return redirect(url_for("workbench.survey", slug=survey.slug), 303)


def _require_confirmation(manuscript: Manuscript, survey: Survey) -> None:
    is_latest = request.form.get("revision") == str(manuscript.revision)
    require(is_latest, "manuscript_changed.publishing", "revision")
    is_meant = request.form.get("weak", "").strip() == survey.slug
    protects = not is_weak(survey.total_epsilon)
    require(protects or is_meant, "weak_not_confirmed.publishing", "weak", slug=survey.slug)


def _schedule() -> Schedule:
    given = {name: request.form.get(name, "").strip() or None for name in ("opens", "closes")}
    numbers = {name: request.form.get(name, "").strip() for name in ("closes_at", "per_hour")}
    return Schedule.of_days(
        given["opens"],
        given["closes"],
        services().database.now,
        *(whole(text, name) if text else None for name, text in numbers.items()),
    )


def _page(manuscript: Manuscript, survey: Survey, refusal: Refusal | None = None) -> str:
    return render(
        "editor/publish.html",
        shortage=shortage_words(survey, manuscript.respondents),
        manuscript=manuscript,
        survey=survey,
        figures=figures_of(survey, manuscript.respondents),
        level_sentence=ENGLISH.level_sentence(survey.total_epsilon),
        process=ENGLISH.process(survey.total_epsilon),
        consequences=ENGLISH.consequences(survey.total_epsilon),
        is_weak=is_weak(survey.total_epsilon),
        people=choices([survey.access])[survey.access],
        sets_group=choices([survey.groups.by])[survey.groups.by][0] if survey.groups else "",
        is_new=reading.next_version(services().database.reader, survey.slug) == 1,
        in_all=_in_all_versions(manuscript, survey),
        given=request.form,
        refusal=refusal,
        reason=reason_of(refusal) if refusal else "",
    )


def _in_all_versions(manuscript: Manuscript, survey: Survey) -> str:
    """Return the total epsilon of a person who takes part in all versions; '' for a new survey."""
    if manuscript.slug != survey.slug:
        return ""
    before = reading.versions(services().database.reader, survey.slug)
    return decimal_text(sum((item.survey.total_epsilon for item in before), survey.total_epsilon))


@workbench.get("/manuscripts/<id>/test")
def test_page(id: str) -> ResponseReturnValue:
    manuscript = manuscripts.find(services().database.reader, me(), id)
    require_writer(manuscript)
    survey = valid_survey(manuscript)
    return redirect_to_problems(id) if survey is None else _test_page(manuscript, survey)


@workbench.post("/manuscripts/<id>/test")
def test(id: str) -> ResponseReturnValue:
    manuscript = manuscripts.find(services().database.reader, me(), id)
    require_writer(manuscript)
    survey = build_survey(draft_of(manuscript))
    was_up = has_test_up(services(), me(), survey.slug)
    try:
        # A test promises nothing, and its page calls weak protection weak.
        put_up_test(services(), survey, confirm_weak=True, researcher=me())
    except Refusal as refusal:
        return _test_page(manuscript, survey, refusal), STATUS.get(refusal.code, 400)
    # A replaced test looks the same as the one before, so say it.
    if was_up:
        flash("The test now has the current text. The reports of the previous test are deleted.")
    return redirect(url_for("workbench.test_page", id=id), 303)


def _test_page(manuscript: Manuscript, survey: Survey, refusal: Refusal | None = None) -> str:
    is_up = has_test_up(services(), me(), survey.slug)
    address = f"{public_root()}/t/{survey.slug}" if is_up else ""
    reason = reason_of(refusal) if refusal else ""
    return render(
        "editor/test.html", manuscript=manuscript, survey=survey, address=address, reason=reason
    )
