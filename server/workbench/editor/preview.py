"""The respondent's own page for a survey that is being written, in a frame of the editor.

The same bytes as respondents get, marked as a test, with the questions that are sound. Nothing can
be handed in: a ticket from here is good for nothing, and every report is refused.
"""

from dataclasses import replace
from typing import NoReturn

from flask.typing import ResponseReturnValue

from client.browser.bundle import survey_page
from client.core.primitives.refusal import Refusal
from client.core.primitives.words import secure_hex
from client.core.translation import DEFAULT
from server.store import reading
from server.store.researchers import manuscripts
from server.surveys.manuscripts import draft_of
from server.web.headers import HEADERS, policy
from server.web.services import services
from server.web.static_files import static_bytes
from server.workbench.blueprint import harmless, workbench
from server.workbench.editor.form import editable
from server.workbench.editor.sound import preview_of, sound_part
from server.workbench.session import me

# As the page is strict for respondents, but for the frame.
_HEADERS = HEADERS | {"Content-Security-Policy": policy(frame_ancestors="'self'")}


# The page reads from its address what to ask for, and where: below /t/ it is a test.
@workbench.get("/manuscripts/<id>/t/<survey>")
def preview(id: str, survey: str) -> ResponseReturnValue:
    manuscripts.find(services().database.reader, me(), id)
    response = static_bytes(survey_page(DEFAULT, test=True), "text/html")
    response.headers.update(_HEADERS)
    return response


@workbench.get("/manuscripts/<id>/t/<survey>/document.json")
def preview_document(id: str, survey: str) -> ResponseReturnValue:
    part = sound_part(editable(draft_of(manuscripts.find(services().database.reader, me(), id))))
    shown = preview_of(part) if part else None
    if shown is None:
        raise Refusal("nothing_to_preview", "no question is without faults yet", "questions")
    version = reading.next_version(services().database.reader, shown.slug)
    return static_bytes(replace(shown, version=version, test=True).document, "application/json")


@workbench.post("/manuscripts/<id>/api/drafts/<survey>/tickets")
@harmless
def preview_ticket(id: str, survey: str) -> ResponseReturnValue:
    return {"ticket": secure_hex(4)}, 201


@workbench.put("/manuscripts/<id>/api/drafts/<survey>/reports/<name>")
@harmless
def preview_report(id: str, survey: str, name: str) -> NoReturn:
    raise Refusal(
        "only_a_preview",
        "this is a preview, from which nothing is sent; put the survey up as a test to try sending",
    )
