"""The preview: the respondent's page of a draft, in a frame of the editor.

It has the same bytes as respondents get, marked as a test, with the valid questions only. Nothing
can be handed in: its tickets are worthless, and every report is refused.
"""

from dataclasses import replace
from functools import cache
from typing import NoReturn

from flask import request
from flask.typing import ResponseReturnValue

from client.authoring.draft.survey import ReadDraft, read_draft
from client.browser.bundle import survey_page
from client.browser.headers import HEADERS, policy
from client.core.access import INVITED
from client.core.primitives.refusal import Refusal
from client.core.primitives.words import secure_hex
from client.core.question import Question
from client.core.survey import Survey
from client.core.translation import DEFAULT
from server.lifecycle.asking import MAX_BYTES, read_wish
from server.signing.blinded import check_blinded
from server.signing.private_key import PrivateKey
from server.store import reading
from server.store.researchers import manuscripts
from server.surveys.manuscripts import draft_of
from server.web.limits import TEST_SIGNING
from server.web.requests import json_body
from server.web.services import services
from server.web.static_files import static_bytes
from server.workbench.blueprint import harmless, workbench
from server.workbench.editor.form import editable
from server.workbench.session import me

# As strict as for respondents, except that the editor may frame the page.
_HEADERS = HEADERS | {"Content-Security-Policy": policy(frame_ancestors="'self'")}


# The page's script finds the document and the API by its own address; below /t/ it is a test.
@workbench.get("/manuscripts/<id>/t/<survey>")
def preview(id: str, survey: str) -> ResponseReturnValue:
    manuscripts.find(services().database.reader, me(), id)
    response = static_bytes(survey_page(DEFAULT, test=True), "text/html")
    response.headers.update(_HEADERS)
    return response


@workbench.get("/manuscripts/<id>/t/<survey>/document.json")
def preview_document(id: str, survey: str) -> ResponseReturnValue:
    draft = editable(draft_of(manuscripts.find(services().database.reader, me(), id)))
    shown = preview_of(read_draft(draft))
    if shown is None:
        raise Refusal("nothing_to_preview", "questions")
    version = reading.next_version(services().database.reader, shown.slug)
    made = replace(shown, version=version, test=True)
    if made.access == INVITED:
        made = made.with_ticket_keys({"": _key().public})
    return static_bytes(made.document, "application/json")


@workbench.post("/manuscripts/<id>/api/drafts/<survey>/tickets")
@harmless
def preview_ticket(id: str, survey: str) -> ResponseReturnValue:
    wish = read_wish(json_body(request, MAX_BYTES))
    if "blinded" not in wish:
        return {"ticket": f"{secure_hex(8)}.{secure_hex(8)}"}, 201
    key = _key()
    blinded = check_blinded(key.public, wish["blinded"])
    with TEST_SIGNING:
        return {"signed": f"{key.sign(int(blinded, 16)):0512x}"}, 201


@workbench.post("/manuscripts/<id>/api/drafts/<survey>/reports")
@harmless
def preview_report(id: str, survey: str) -> NoReturn:
    raise Refusal("only_a_preview")


@cache
def _key() -> PrivateKey:
    """Return a key that no survey has, so what it signs is worth nothing."""
    return PrivateKey.new()


def preview_of(found: ReadDraft) -> Survey | None:
    """Return the survey with its valid questions only, without those that depend on others."""
    survey = found.outline
    if survey is None or len(found.valid) == len(survey.questions):
        return survey
    kept: list[Question] = []
    for index, question in enumerate(survey.questions):
        rule = question.show_if
        is_decided = rule is None or {*rule.questions} <= {item.id for item in kept}
        if index in found.valid and is_decided:
            kept.append(question)
    if not kept:
        return None
    asked = survey.ask_each_person
    fewer = asked if asked < len(kept) else 0
    return replace(survey, questions=tuple(kept), ask_each_person=fewer)
