"""The one question that the options of a command line describe, as a survey of its own."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from client.domain import MAX_OPTIONS
from client.refusal import require
from client.survey import Survey
from estimators.one_question import SHAPES, one_question

F = TypeVar("F", bound=Callable[..., Any])

KINDS = [name.replace("_", "-") for name in SHAPES]
# Which fields a kind that has them cannot do without.
_NEEDED = {"options", "lo", "hi"}


class _Kind(click.Choice[str]):
    """A kind as a command line or as a survey file writes it: yes-no or yes_no."""

    def convert(self, value: Any, parameter: Any, context: Any) -> str:
        return super().convert(str(value).replace("_", "-"), parameter, context)


def kind_options(command: F) -> F:
    """The kind of a question without a survey file, and what describes a scale or a number."""
    for option in (
        click.option("--goal", help="scale: shares or mean; number: mean or distribution."),
        click.option("--step", help="number: the distance between two answers."),
        click.option("--hi", help="scale, number: the highest answer."),
        click.option("--lo", help="scale, number: the lowest answer."),
        click.option("--kind", type=_Kind(KINDS), help="Try one question, not a survey."),
    ):
        command = option(command)
    return command


def question_options(command: F) -> F:
    """The options that describe a question without a survey file."""
    for option in (
        click.option("--at-most", type=int, help="any-of: how many boxes one person can tick."),
        click.option("--options", type=int, help="one-of, any-of: how many options there are."),
        click.option("--epsilon", help="With --kind: the epsilon of the question."),
    ):
        command = option(command)
    return kind_options(command)


def flag(name: str) -> str:
    """How the command line writes the name of an option."""
    return f"--{name.replace('_', '-')}"


def question_survey(kind: str, epsilon: str, **shape: Any) -> Survey:
    """A survey of one question, its mechanism chosen by the rule; None is an option not given."""
    given = {name: value for name, value in shape.items() if value is not None}
    known = SHAPES[kind.replace("-", "_")]
    for name in given:
        require(name in known, "bad_shape", f"{flag(name)} is not for --kind {kind}", name)
    for name in known:
        missing = name in _NEEDED and name not in given
        require(not missing, "bad_shape", f"--kind {kind} needs {flag(name)}", name)
    if "options" in given:
        count = given["options"]
        require(
            2 <= count <= MAX_OPTIONS,
            "bad_shape",
            f"--options must be from 2 to {MAX_OPTIONS:,}, got {count}",
            "options",
        )
    return one_question(kind.replace("-", "_"), epsilon, **given)
