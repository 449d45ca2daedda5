"""The demonstration: an open survey to try, and a closed study whose arms can be compared.

Simulated people do what a real device does: get a ticket, randomize with secure words, and hand the
report in.
"""

import json
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from typing import Any

from client.authoring.files import parse_survey_file
from client.core.assignment import draw_assignment
from client.core.primitives.words import WORD_RANGE, SecureWords, Words, below, bern, secure_hex
from client.core.respond import respond
from client.core.survey import Survey
from server.accounts.passwords import hash_new
from server.lifecycle.asking import ask
from server.lifecycle.ending import close
from server.lifecycle.hand_in import hand_in
from server.lifecycle.invitations import open_links
from server.lifecycle.publishing import publish
from server.store import reading
from server.store.researchers import access, accounts
from server.surveys.records import Published
from server.surveys.researchers import Role
from server.surveys.states import State
from server.web.services import Services

DRAFTS = files("server") / "examples"
SURVEY, STUDY = "demo.yaml", "demo-study.yaml"
RESEARCHER = "demo"
PEOPLE = 2000
# The people of the study in each of its groups: two arms at two sites.
IN_GROUP = 600
GROUPS = 4
# How many of 100 simulated people would truthfully say yes to each question.
YES_OF_100 = (62, 41, 18)
# The same for the study, with coaching and without, and the half hours that people sleep at least.
PILLS_OF_100 = (22, 41)
LEAST_SLEEP = (11, 9)
# How many half hours more somebody may sleep, and how many of 100 do not say.
MORE_SLEEP, SILENT_OF_100 = 6, 8
# Reports that wait together share a commit.
AT_ONCE = 32

Answers = dict[str, Any]


def prepare(
    services: Services, people: int = PEOPLE, advance: Callable[[], None] = lambda: None
) -> Published:
    """Publish the demo survey unless it exists, and fill it up to `people` reports."""
    published = _published(services, SURVEY)
    missing = people - published.reports if published.state is State.OPEN else 0
    return _fill(services, published, [(None, _habits)] * missing, advance)


def prepare_study(
    services: Services, in_group: int = IN_GROUP, advance: Callable[[], None] = lambda: None
) -> Published:
    """Publish the study unless it exists, have its groups answer, and close it."""
    published = _published(services, STUDY)
    slug = published.survey.slug
    if published.state is not State.OPEN:
        return published
    missing = GROUPS * in_group - published.reports
    keys = [link["invitations"][0] for link in open_links(services, slug)]
    arms = [_in_arm(place // 2) for place in range(GROUPS)]
    people = list(zip(keys, arms, strict=True)) * -(-missing // GROUPS)
    _fill(services, published, people[:missing], advance)
    close(services.database, slug)
    return reading.newest(services.database.reader, slug)


def _published(services: Services, name: str) -> Published:
    survey = parse_survey_file((DRAFTS / name).read_bytes(), name).build()
    slug = publish(services, survey).published.survey.slug
    return reading.newest(services.database.reader, slug)


def _fill(
    services: Services,
    published: Published,
    people: Iterable[tuple[str | None, Callable[[Words], Answers]]],
    advance: Callable[[], None],
) -> Published:
    """Let people answer, each with the link of a group or the plain one."""
    survey = published.survey
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for _ in pool.map(lambda person: _answer(services, survey, *person), people):
            advance()
    return reading.newest(services.database.reader, survey.slug)


def add_demo_researcher(services: Services, *slugs: str) -> str:
    """Make the researcher `demo` an owner of the surveys; return their new password."""
    password, database = secure_hex(3), services.database
    if RESEARCHER in (person.name for person in accounts.everybody(database.reader)):
        database.write(accounts.change_password, RESEARCHER, hash_new(password, RESEARCHER))
    else:
        database.write(accounts.add, RESEARCHER, hash_new(password, RESEARCHER))
    for slug in slugs:
        database.write(access.give_role, slug, RESEARCHER, Role.OWNER)
    return password


def _habits(words: Words) -> Answers:
    ids = ("worked_ill", "hidden_strain", "medication")
    return {id: _is_one_of(yes, words) for id, yes in zip(ids, YES_OF_100, strict=True)}


def _in_arm(arm: int) -> Callable[[Words], Answers]:
    def answers(words: Words) -> Answers:
        silent = _is_one_of(SILENT_OF_100, words)
        hours = LEAST_SLEEP[arm] + below(words, MORE_SLEEP + 1)
        # Beyond the 24 half hours of the scale stands "Prefer not to say".
        return {"pills": _is_one_of(PILLS_OF_100[arm], words), "hours": 25 if silent else hours}

    return answers


def _is_one_of(of_100: int, words: Words) -> int:
    return int(bern(words, of_100 * WORD_RANGE // 100))


def _answer(
    services: Services, survey: Survey, key: str | None, answers: Callable[[Words], Answers]
) -> None:
    words = SecureWords()
    wish = {} if key is None else {"group": key}
    ticket = ask(services, survey.slug, json.dumps(wish).encode()).shape["ticket"]
    report = respond(survey, draw_assignment(survey, ticket), answers(words), words)
    hand_in(services, survey.slug, report.wire(survey), ticket)
