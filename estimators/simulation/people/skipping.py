"""Skip logic for many people at once: who sees a question, and with which chance."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from client.core.conditions import ALL, Condition, ShowIf
from client.core.question import Question, is_shown
from client.core.survey import Survey
from estimators.simulation.kernels.samplers import Answers
from estimators.simulation.kernels.source import Flags
from estimators.simulation.people.truths import Chances


def shown_rows(rule: ShowIf, answers: Mapping[str, Answers]) -> Flags:
    """Return which people see a question with this rule."""
    held = [_held_rows(condition, answers[condition.question]) for condition in rule.conditions]
    found: Flags = (np.logical_and if rule.joined == ALL else np.logical_or).reduce(held)
    return found


def _held_rows(condition: Condition, answers: Answers) -> Flags:
    if condition.levels is None:
        return np.isin(answers, condition.options)
    low, high = condition.levels
    found: Flags = (answers >= low) & (answers <= high)
    return found


def chance_to_see(question: Question, survey: Survey, chances: Mapping[str, Chances]) -> float:
    """Return the chance that a question is shown, if its deciders' answers are independent.

    `chances` are those of each question's answers among the people who see it. Answers that no
    condition tells apart are one case, so there are few cases to sum over.
    """
    if question.show_if is None:
        return 1.0
    deciders = _deciders(question, survey)
    conditions = [
        condition
        for item in (*deciders, question)
        for condition in (item.show_if.conditions if item.show_if else ())
    ]
    cases: dict[tuple[Any, ...], float] = {(): 1.0}
    ids = [decider.id for decider in deciders]
    for decider in deciders:
        own = list(_cases(decider, conditions, chances[decider.id]))
        following: dict[tuple[Any, ...], float] = defaultdict(float)
        for case, chance in cases.items():
            seen = is_shown(decider, dict(zip(ids, case, strict=False)))
            for answer, part in own if seen else [(decider.kind.hidden_answer, 1.0)]:
                following[*case, answer] += chance * part
        cases = following
    return sum(
        chance
        for case, chance in cases.items()
        if is_shown(question, dict(zip(ids, case, strict=True)))
    )


def _deciders(question: Question, survey: Survey) -> list[Question]:
    """Return the questions on which this one depends, directly or not, in their order."""
    known = {item.id: item for item in survey.questions}
    found: set[str] = set()
    waiting = [question]
    while waiting:
        rule = waiting.pop().show_if
        new = {*rule.questions} - found if rule else set()
        found |= new
        waiting.extend(known[id] for id in new)
    return [item for item in survey.questions if item.id in found]


def _cases(
    decider: Question, conditions: list[Condition], chances: Chances
) -> Iterator[tuple[int, float]]:
    """Yield an answer for all that fulfil the same conditions, with their chance together."""
    own = [condition for condition in conditions if condition.question == decider.id]
    by_case: dict[tuple[bool, ...], list[int]] = defaultdict(list)
    for answer in range(len(chances)):
        by_case[tuple(condition.holds(answer) for condition in own)].append(answer)
    for answers in by_case.values():
        yield answers[0], float(chances[answers].sum())
