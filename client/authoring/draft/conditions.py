"""`show_if` of a survey file: options are named by their labels, levels by their numbers."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from client.core.conditions import ALL, ANY, MAX_CONDITIONS, Condition, ShowIf
from client.core.kinds import Grid
from client.core.primitives.domain import Levels
from client.core.primitives.refusal import Refusal, require
from client.core.primitives.values import decimal_text, parse_decimal
from client.core.question import Question
from client.core.survey import Survey

# An earlier question by its id as written; None if its options are not settled yet.
Decider = tuple[object, Question | None]
# Stands for a rule about a question that has a fault of its own.
UNSETTLED = ShowIf(())
BOUNDS = ("from", "to")


def read_show_if(value: Any, where: str, deciders: Sequence[Decider]) -> ShowIf | None:
    """Read a condition, or {all: [...]} or {any: [...]} of several conditions."""
    if value is None:
        return None
    require(isinstance(value, dict), "not_a_mapping", "show_if", part=where)
    joined = ANY if ANY in value else ALL
    if joined not in value:
        found = _read_condition(value, where, deciders)
        return UNSETTLED if found is None else ShowIf((found,))
    _check_fields(value, (joined,), where)
    parts = value[joined]
    fits = isinstance(parts, list) and 2 <= len(parts) <= MAX_CONDITIONS
    require(fits, "bad_show_if.conditions", "show_if", joined, most=MAX_CONDITIONS)
    all_found = [_read_condition(part, f"{where}.{joined}", deciders) for part in parts]
    conditions = tuple(condition for condition in all_found if condition is not None)
    return ShowIf(conditions, joined) if len(conditions) == len(parts) else UNSETTLED


def _check_fields(value: dict[str, Any], known: Sequence[str], where: str) -> None:
    for field in value:
        require(
            field in known,
            "unknown_field.show_if",
            *("show_if", field),
            part=where,
            name=field,
            known=list(known),
        )


def _read_condition(value: Any, where: str, deciders: Sequence[Decider]) -> Condition | None:
    """Read one condition; None if the question that decides has a fault of its own."""
    require(isinstance(value, dict), "not_a_mapping", "show_if", part=where)
    is_span = any(bound in value for bound in BOUNDS)
    known = ("question", *BOUNDS) if is_span else ("question", "is")
    _check_fields(value, known, where)
    for field in ("question",) if is_span else known:
        require(field in value, "missing_field.show_if", "show_if", field, part=where)
    name = value["question"]
    found = [question for id, question in deciders if id == name]
    if not found:
        raise Refusal("bad_show_if.question", "show_if", question=name)
    if not is_span and value["is"] == []:
        raise Refusal("bad_show_if.none", "show_if")
    decider = found[0]
    if decider is None:
        return None
    return _span(decider, value) if is_span else _options(decider, value["is"])


def _options(decider: Question, labels: Any) -> Condition:
    wanted = labels if isinstance(labels, list) else [labels]
    numbers = {label: number for number, label in enumerate(decider.options)}
    for label in wanted:
        is_option = isinstance(label, str) and label in numbers
        require(is_option, "bad_show_if.option", "show_if", question=decider.id, option=label)
    return Condition(decider.id, tuple(sorted(numbers[label] for label in wanted)))


def _span(decider: Question, value: dict[str, Any]) -> Condition:
    """Read the least and the greatest number; without one of them there is no bound."""
    grid = decider.kind.grid
    if grid is None:
        raise Refusal("bad_show_if.number", "show_if", question=decider.id)
    ends = {"from": grid.lo, "to": grid.hi}
    given = {bound: parse_decimal(str(value[bound]), bound) for bound in BOUNDS if bound in value}
    low, high = (_level(grid, number, decider) for number in (ends | given).values())
    require(low <= high, "bad_show_if.order", "show_if", question=decider.id)
    if isinstance(decider.domain, Levels):
        return Condition(decider.id, levels=(low, high))
    return Condition(decider.id, tuple(range(low, high + 1)))


def _level(grid: Grid, number: Decimal, decider: Question) -> int:
    level = (number - grid.lo) / grid.step
    fits = level == int(level) and grid.lo <= number <= grid.hi
    require(
        fits,
        "bad_show_if.level",
        "show_if",
        question=decider.id,
        number=number,
        lo=grid.lo,
        hi=grid.hi,
    )
    return int(level)


def write_show_if(rule: ShowIf, survey: Survey) -> dict[str, Any]:
    """Return a rule as a survey file has it."""
    questions = {question.id: question for question in survey.questions}
    parts = [_written(each, questions[each.question]) for each in rule.conditions]
    return parts[0] if len(parts) == 1 else {rule.joined: parts}


def _written(condition: Condition, decider: Question) -> dict[str, Any]:
    grid = decider.kind.grid
    if condition.levels is None or grid is None:
        labels = [decider.options[option] for option in condition.options]
        return {"question": condition.question, "is": labels}
    low, high = (decimal_text(grid.value(level)) for level in condition.levels)
    return {"question": condition.question, "from": low, "to": high}
