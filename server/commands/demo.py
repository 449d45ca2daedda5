"""The demonstration: a published survey that 2,000 simulated people answer.

They do what a real device does: get a ticket, randomize with secure words, and hand the report in.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files

from client.authoring.files import parse_survey_file
from client.core.assignment import draw_assignment
from client.core.primitives.words import WORD_RANGE, SecureWords, bern, secure_hex
from client.core.respond import respond
from client.core.survey import Survey
from server.accounts.passwords import hash_new
from server.lifecycle.hand_in import hand_in, issue_ticket
from server.lifecycle.publishing import publish
from server.store import reading
from server.store.researchers import access, accounts
from server.surveys.records import Published
from server.surveys.researchers import Role
from server.surveys.states import State
from server.web.services import Services

DRAFT = files("server") / "examples" / "demo.yaml"
RESEARCHER = "demo"
PEOPLE = 2000
# How many of 100 simulated people would truthfully say yes to each question.
YES_OF_100 = (62, 41, 18)
# Reports that wait together share a commit.
AT_ONCE = 32


def prepare(
    services: Services, people: int = PEOPLE, advance: Callable[[], None] = lambda: None
) -> Published:
    """Publish the demo survey unless it exists, and fill it up to `people` reports."""
    survey = parse_survey_file(DRAFT.read_bytes(), DRAFT.name).build()
    slug = publish(services, survey).published.survey.slug
    published = reading.newest(services.database.reader, slug)
    missing = people - published.reports if published.state is State.OPEN else 0
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for _ in pool.map(lambda _: _answer(services, published.survey), range(missing)):
            advance()
    return reading.newest(services.database.reader, slug)


def add_demo_researcher(services: Services, slug: str) -> str:
    """Make the researcher `demo` an owner of the survey; return their new password."""
    password, database = secure_hex(3), services.database
    if RESEARCHER in (person.name for person in accounts.everybody(database.reader)):
        database.write(accounts.change_password, RESEARCHER, hash_new(password, RESEARCHER))
    else:
        database.write(accounts.add, RESEARCHER, hash_new(password, RESEARCHER))
    database.write(access.give_role, slug, RESEARCHER, Role.OWNER)
    return password


def _answer(services: Services, survey: Survey) -> None:
    words = SecureWords()
    answers = {
        question.id: int(bern(words, yes * WORD_RANGE // 100))
        for question, yes in zip(survey.questions, YES_OF_100, strict=True)
    }
    ticket = issue_ticket(services, survey.slug)
    report = respond(survey, draw_assignment(survey, ticket, words), answers, words)
    hand_in(services, survey.slug, secure_hex(4), report.wire(survey), ticket)
