"""What researchers see of a closed survey isolates nobody, in every combination of its figures."""

import json
import random
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from client.authoring.draft.survey import build_survey
from client.core.primitives.words import secure_hex
from client.core.report import Report
from client.core.survey import Survey
from server.lifecycle import ending
from server.results.shown import live_results, public_results
from server.store import ballot_box
from server.store.database import Connection
from server.store.lifecycle import publishing
from server.store.results import read_ballots
from server.surveys.ballots.ballot import Ballot
from server.surveys.disclosure import LEAST_IN_GROUP
from server.surveys.publication import Edition
from server.surveys.records import Published
from server.surveys.researchers import OPERATOR
from server.surveys.schedule import Schedule
from server.surveys.strays import GroupChoice
from server.web.services import Services
from tests.support.groups import with_factors
from tests.support.ticket_keys import POOL

SEEDS = range(8)
QUESTIONS = ("one", "two", "three")
# Each report is in the cell of its group, so the figures say whom they count.
GROUPS = tuple("abcd")
COEFFICIENTS = range(-2, 3)
MOST_COMBINED = 5


def some_survey(seed: int, asked: int, is_sealed: bool) -> Survey:
    question = {
        "kind": "one_of",
        "prompt": "Which group?",
        "options": list(GROUPS),
        "epsilon": "3",
    }
    draft: dict[str, Any] = {
        "slug": f"seen-{seed}-{asked}-{int(is_sealed)}",
        "title": "Seen",
        "delete_on": "2999-01-01",
        "questions": [{**question, "id": id} for id in QUESTIONS],
        **({"ask_each_person": str(asked)} if asked else {}),
        **({"access": "invited"} if is_sealed else {}),
    }
    survey = build_survey(with_factors(draft))
    keys = zip(survey.ticket_groups, (key.public for key in POOL), strict=False)
    return survey.with_ticket_keys(dict(keys)) if is_sealed else survey


def opened(db: Connection, survey: Survey) -> Published:
    made = publishing.publish(db, Edition(survey, ""), False, Schedule(), OPERATOR)
    assert made is not None
    return made.published


def people(seed: int) -> list[str]:
    """Draw groups of very different sizes; return the group of each person."""
    draw = random.Random(seed)
    sizes = [draw.choice((0, 3, 18, 25, 45, 70, 110)) for _ in GROUPS]
    return [name for name, size in zip(GROUPS, sizes, strict=True) for _ in range(size)]


def fill(db: Connection, published: Published, seed: int) -> None:
    """Store a report of each person, who is asked some of the questions."""
    survey, draw = published.survey, random.Random(seed)
    assert survey.groups is not None
    codes = dict(zip(GROUPS, survey.groups.codes, strict=True))
    ballots = []
    for name in people(seed):
        chosen = draw.sample(QUESTIONS, survey.ask_each_person or len(QUESTIONS))
        values = {id: [GROUPS.index(name)] if id in chosen else None for id in QUESTIONS}
        report = Report(survey.fingerprint, values)
        ballots.append(Ballot(survey, secure_hex(4), report, codes[name]))
    assert all(put is True for put in ballot_box.put_all(db, ballots))


def figures_of(services: Services, survey: Survey, question: str) -> set[tuple[int, ...]]:
    """Return all counts of a question that researchers see once it is closed, also in public.

    What the public sees of an open survey before its closing is the subject of `test_history`.
    """
    views = [live_results, *([public_results] if survey.by_invitation else [])]
    found = set[tuple[int, ...]]()
    for view in views:
        everybody = view(services.database, survey.slug)
        names = [*everybody.sizes_by_label, "arm=treatment", "arm=control", "site=south"]
        found.add(everybody.tallies[question].counts)
        for name in names if everybody.groups else ():
            if name != "" and not is_shown(everybody.sizes_by_label, name):
                continue
            found.add(view(services.database, survey.slug, group=name).tallies[question].counts)
    return found | exported(services, survey, question)


def is_shown(labels: dict[str, int], name: str) -> bool:
    return any(name.partition("=")[2] in label.split(", ") for label in labels) or name in labels


def exported(services: Services, survey: Survey, question: str) -> set[tuple[int, ...]]:
    """Return what the rows of an export tell of each group."""
    counts: dict[str, list[int]] = {}
    with read_ballots(services.database.reader, survey.slug) as ballots:
        for group, randomized in ballots.reports:
            cells = counts.setdefault(group, [0] * len(GROUPS))
            for cell in json.loads(randomized)[question] or ():
                cells[cell] += 1
    return {tuple(cells) for cells in counts.values()}


def fewest_involved(figures: set[tuple[int, ...]], cells: np.ndarray) -> int:
    """Combine all figures in every way; return the fewest people that one involves."""
    rows = np.array([row for row in sorted(figures) if any(row)], dtype=np.int64)
    counts = (rows.reshape(-1, len(GROUPS)) > 0).astype(np.int64)
    assert ((rows == 0) | (rows == cells)).all(), "a figure counts a part of a group"
    some = min(len(counts), MOST_COMBINED)
    chosen = np.array(list(product(COEFFICIENTS, repeat=some)), dtype=np.int64)
    fewest = [LEAST_IN_GROUP]
    for subset in combinations(counts, some) if some else ():
        involved = (chosen @ np.array(subset) != 0) @ cells
        fewest.append(int(min(involved[involved > 0])))
    return min(fewest)


@pytest.mark.parametrize("is_sealed", [False, True])
@pytest.mark.parametrize("asked", [0, 1, 2])
def test_no_combination_of_what_researchers_see_isolates_fewer_than_twenty(
    services: Services, asked: int, is_sealed: bool
) -> None:
    told_apart = 0
    for seed in SEEDS:
        survey = some_survey(seed, asked, is_sealed)
        database = services.database
        published = database.write(opened, survey)
        database.write(fill, published, seed)
        ending.close(database, survey.slug, groups=GroupChoice.KEEP)
        if len(people(seed)) < LEAST_IN_GROUP:
            continue
        if not live_results(database, survey.slug).groups:
            # Everything together, as live results show it.
            continue
        told_apart += 1
        for question in QUESTIONS:
            cells = answered(survey, seed, question)
            fewest = fewest_involved(figures_of(services, survey, question), cells)
            assert fewest >= LEAST_IN_GROUP, (seed, question)
    assert told_apart > len(SEEDS) / 3


def answered(survey: Survey, seed: int, question: str) -> np.ndarray:
    """Return how many of each group were asked the question."""
    draw, counts = random.Random(seed), np.zeros(len(GROUPS), dtype=np.int64)
    asked = survey.ask_each_person or len(QUESTIONS)
    for name in people(seed):
        if question in draw.sample(QUESTIONS, asked):
            counts[GROUPS.index(name)] += 1
    return counts
