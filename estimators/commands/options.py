"""Options that several commands share: a mechanism by name, and a confidence level."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, fields
from decimal import Decimal
from typing import Any

import click

from client.core.mechanisms import MECHANISMS, TwoLevel
from client.core.primitives.refusal import Refusal
from estimators.confidence import CONFIDENCE

confidence_option = click.option(
    "--confidence",
    type=float,
    default=CONFIDENCE,
    show_default=True,
    help="The probability that an interval or a margin holds the truth.",
)


# Every number that can be part of a mechanism's shape, with its help text.
SHAPE = {
    "options": "How many options the question has.",
    "size": "How many options a report holds.",
    "asked": "How many boxes a report is about.",
    "at_most": "How many boxes can be ticked.",
    "top": "The highest level; the lowest is 0.",
    "width": "How much wider than a point the window is.",
    "silent": "How many options for silence follow the levels.",
}


def mechanism_options(
    command: Callable[..., Any], without: Collection[str] = ()
) -> Callable[..., Any]:
    """Add --mechanism and one option for each number of its shape.

    A command that has an option of its own with the same name leaves that number out.
    """
    for name, help in reversed(SHAPE.items()):
        if name not in without:
            flag = f"--{name.replace('_', '-')}"
            command = click.option(flag, name, type=int, help=help)(command)
    names = ", ".join(f"{name} ({each.title})" for name, each in MECHANISMS.items())
    return click.option(
        "--mechanism", default="rr", show_default=True, help=f"With --epsilon: {names}."
    )(command)


def mechanism_named(name: str, epsilon: Decimal, shape: Mapping[str, int | None]) -> TwoLevel:
    """Return the mechanism with this name at this epsilon; raise unless `shape` fits it exactly."""
    if name not in MECHANISMS:
        raise Refusal("unknown_mechanism.option", "mechanism", known=list(MECHANISMS), name=name)
    mechanism = MECHANISMS[name]
    needed = {field.name for field in fields(mechanism) if field.default is MISSING}
    usual = {field.name for field in fields(mechanism)} - needed
    needed.remove("threshold")
    given = {key: number for key, number in shape.items() if number is not None}
    for key in sorted(needed ^ (given.keys() - usual)):
        raise Refusal(
            "bad_shape.needed" if key in needed else "bad_shape.foreign",
            key,
            name=name,
            option=f"--{key.replace('_', '-')}",
        )
    return mechanism.at(epsilon, **given)
