"""A survey's page for respondents, its document and its privacy figures.

Everybody gets the same bytes, so that a fingerprint can pin them.
"""

from typing import Any

from flask import Blueprint
from flask.typing import ResponseReturnValue

from client.browser.bundle import survey_page
from client.core.primitives.values import decimal_text
from client.core.question import Question
from server.store import reading
from server.surveys.states import Change, State, refusal_for_respondents
from server.web.errors import STATUS, notice
from server.web.languages import wording
from server.web.services import database, refuse_trashed
from server.web.static_files import static_bytes

survey_pages = Blueprint("survey_pages", __name__)
survey_pages.before_request(refuse_trashed)


@survey_pages.get("")
def page(slug: str, test: bool) -> ResponseReturnValue:
    published = reading.newest(database(test).reader, slug)
    # Also while it is closing: a report may still wait on the device.
    if published.allows(Change.TAKE_REPORTS) or published.allows(Change.GIVE_TICKETS):
        return static_bytes(survey_page(wording().language, test), "text/html")
    code = refusal_for_respondents(published.state).code
    day = published.schedule.first_day or ""
    results = f"/s/{slug}/results" if published.state is not State.NOT_YET_OPEN else ""
    return notice(code, results=results, day=day), STATUS[code]


@survey_pages.get("/document.json")
def document(slug: str, test: bool) -> ResponseReturnValue:
    return static_bytes(
        reading.newest(database(test).reader, slug).survey.document, "application/json"
    )


@survey_pages.get("/privacy.json")
def privacy(slug: str, test: bool) -> ResponseReturnValue:
    survey = reading.newest(database(test).reader, slug).survey
    return {
        "fingerprint": survey.fingerprint,
        "unit": "one person, this survey",
        "total_epsilon": decimal_text(survey.total_epsilon),
        "questions": [_figures(question) for question in survey.questions],
    }


def _figures(question: Question) -> dict[str, Any]:
    mechanism = question.mechanism
    support = mechanism.support
    chances = {"p": float(support[0]), "q": float(support[1])} if support else {}
    return {
        "id": question.id,
        "epsilon": decimal_text(question.epsilon),
        "mechanism": mechanism.name,
        "threshold": mechanism.threshold,
        **mechanism.shape,
        "keep": float(mechanism.keep),
        **chances,
        "delivered_epsilon": mechanism.delivered_epsilon,
    }
