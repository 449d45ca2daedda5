"""Ask one question in a terminal, whatever its kind, until the reply is a valid answer."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import click

from client.core.kinds import Cross, Grid, Kind, Scale
from client.core.primitives.domain import Checks, Choice, Levels
from client.core.primitives.refusal import Refusal, Relayed
from client.core.primitives.values import parse_decimal
from client.core.question import Question
from client.wording.catalogue import Wording

_NUMBER = re.compile(r"[0-9]{1,9}")
# Longer lists are not printed; the respondent types the label instead.
MOST_LISTED = 30
# A number can be declined, or not apply.
_LETTERS = "ab"


# For each list of options, their numbers as they are shown; the options for silence come last.
Orders = Sequence[Sequence[int]]
_AS_WRITTEN: Orders = ((), ())


def ask(question: Question, wording: Wording, orders: Orders = _AS_WRITTEN) -> Any:
    """Ask a question and return the true answer in the form the mechanism takes."""
    if question.kind.name in ASKERS:
        return ASKERS[question.kind.name](question.kind, wording, orders)
    return ask_by_domain(question.kind, wording, orders)


def ask_by_domain(kind: Any, wording: Wording, orders: Orders) -> Any:
    """Ask about a kind that shows nothing besides its options or its range."""
    match kind.domain:
        case Levels(top=top):
            return _Grid(kind.grid, wording, kind.silence, top).ask(kind.unit)
        case Checks(at_most=at_most):
            shown = _Shown(kind.labels, orders[0])
            _list(shown.labels)
            prompt = wording.say("question.choose_several")
            return _prompt(prompt, _several(kind, shown, at_most, wording))
        case Choice():
            return ask_one(kind.labels, wording, orders[0])


def find(text: str, labels: Sequence[str], wording: Wording) -> int:
    """Return the option with this label, or with this number in the list."""
    wanted = text.strip().casefold()
    for number, label in enumerate(labels):
        if label.casefold() == wanted:
            return number
    number = int(wanted) if _NUMBER.fullmatch(wanted) else 0
    if not 1 <= number <= len(labels):
        words = wording.say("terminal.no_option", text=text.strip()[:40], count=len(labels))
        raise Relayed("option_out_of_range", words)
    return number - 1


class _Shown:
    """Options in the order in which they are shown."""

    def __init__(self, labels: Sequence[str], order: Sequence[int]) -> None:
        self._numbers: list[int] = [*order, *range(len(order), len(labels))]
        self.labels = [labels[number] for number in self._numbers]

    def find(self, text: str, wording: Wording) -> int:
        """Return the number of the option itself, wherever it is shown."""
        return self._numbers[find(text, self.labels, wording)]


def ask_one(labels: Sequence[str], wording: Wording, order: Sequence[int] = ()) -> int:
    """Print the labels in their order and ask for one; return its number, counted from 0."""
    shown = _Shown(labels, order)
    _list(shown.labels)
    found: int = _prompt(wording.say("question.choose"), lambda text: shown.find(text, wording))
    return found


def _several(
    kind: Kind, shown: _Shown, at_most: int, wording: Wording
) -> Callable[[str], list[int]]:
    labels, own = kind.labels, len(kind.own_labels)

    def convert(text: str) -> list[int]:
        found = sorted({shown.find(part, wording) for part in text.split(",") if part.strip()})
        extra = len(found) - at_most
        if extra > 0:
            words = wording.say("boxes.too_many", ticked=len(found), most=at_most, extra=extra)
            raise Relayed("too_many_options", words)
        silent = [labels[option] for option in found if option >= own]
        if silent and len(found) > 1:
            raise Relayed("silence_and_more", wording.say("terminal.alone", option=silent[0]))
        return found

    return convert


def _ask_scale(kind: Scale, wording: Wording, orders: Orders) -> Any:
    ends = [f"{kind.lo} = {kind.lo_label}", f"{kind.hi} = {kind.hi_label}"]
    is_reversed = bool(orders[0]) and orders[0][0] > 0
    text = ", ".join(reversed(ends) if is_reversed else ends)
    click.echo(f"  {text}" if kind.lo_label or kind.hi_label else "")
    return ask_by_domain(kind, wording, orders)


def _ask_cross(kind: Cross, wording: Wording, orders: Orders) -> int:
    """Ask for the row and then the column; options for silence are offered with the row."""
    click.echo(kind.row_prompt)
    row = ask_one([*kind.rows, *kind.silence], wording, orders[0])
    if row >= len(kind.rows):
        return len(kind.own_labels) + row - len(kind.rows)
    click.echo(kind.column_prompt)
    return row * len(kind.columns) + ask_one(kind.columns, wording, orders[1])


# The kinds that show more than their options; all others are asked by their domain.
ASKERS: dict[str, Callable[[Any, Wording, Orders], Any]] = {
    Scale.name: _ask_scale,
    Cross.name: _ask_cross,
}


@dataclass(frozen=True)
class _Grid:
    """Numbers from lo to hi in steps, with the same complaints as the page's number box."""

    grid: Grid
    wording: Wording
    silence: Sequence[str]
    top: int

    def ask(self, unit: str) -> int:
        """Ask for a number and return its level: how many steps it is above the lowest.

        The options for silence have letters, since numbers are answers.
        """
        for number, label in enumerate(self.silence):
            click.echo(f"  {_LETTERS[number]}  {label}")
        lo, hi = self.wording.decimal(self.grid.lo), self.wording.decimal(self.grid.hi)
        letters = _LETTERS[: len(self.silence)]
        range_text = " / ".join([f"{lo} … {hi} {unit}".rstrip(), *letters])
        level: int = _prompt(f"{self.wording.say('question.choose')} ({range_text})", self._level)
        return level

    def _level(self, text: str) -> int:
        wanted = text.strip().casefold()
        for number, label in enumerate(self.silence):
            if wanted in (label.casefold(), _LETTERS[number]):
                return self.top + 1 + number
        try:
            value = parse_decimal(self.wording.plain_decimal(text), "answer")
        except Refusal as refusal:
            raise Relayed(refusal.code, self._say("number.unreadable")) from None
        lo, step = self.grid.lo, self.grid.step
        if not lo <= value <= self.grid.hi:
            raise Relayed("option_out_of_range", self._say("number.outside"))
        rest = (value - lo) % step
        if rest:
            near = {"below": value - rest, "above": value - rest + step}
            raise Relayed("option_out_of_range", self._say("number.between", near))
        return int((value - lo) / step)

    def _say(self, key: str, near: dict[str, Decimal] | None = None) -> str:
        """Return a complaint; with whole numbers it need not mention steps."""
        lo, hi, step = self.grid.lo, self.grid.hi, self.grid.step
        whole = step == 1 and lo % 1 == 0
        figures = {"lo": lo, "hi": hi, "step": step, **(near or {})}
        texts = {name: self.wording.decimal(figure) for name, figure in figures.items()}
        return self.wording.say(f"{key}{'.whole' if whole else ''}", **texts)


def _list(labels: Sequence[str]) -> None:
    if len(labels) > MOST_LISTED:
        return
    # Numbers in front of numeric labels would confuse: people type the label.
    numbered = not any(label.isdigit() for label in labels)
    for number, label in enumerate(labels, start=1):
        click.echo(f"  {number}  {label}" if numbered else f"  {label}")


def _prompt(text: str, convert: Callable[[str], Any]) -> Any:
    while True:
        # An empty line means that no box is ticked, so the prompt must accept it.
        typed = click.prompt(text, default="", show_default=False)
        try:
            return convert(typed)
        except Refusal as refusal:
            click.echo(refusal.message)
