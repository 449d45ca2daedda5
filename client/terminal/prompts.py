"""One question asked in a terminal, whatever its kind; what is no answer is asked again."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import click

from client.core.kinds import Cross, Number, Scale
from client.core.primitives.domain import Checks, Levels
from client.core.primitives.refusal import Refusal, require
from client.core.primitives.values import parse_decimal
from client.core.question import Question
from client.wording.catalogue import Wording

_NUMBER = re.compile(r"[0-9]{1,9}")
# Longer lists are not printed; typing the label finds the option.
MOST_LISTED = 30


def ask(question: Question, wording: Wording) -> Any:
    """The true answer, as the mechanism takes it."""
    kind, domain = question.kind, question.domain
    if isinstance(kind, Cross):
        return _ask_cross(kind, wording)
    if isinstance(kind, Number):
        return _Grid(kind.lo, kind.hi, kind.step, wording).ask(kind.unit)
    if isinstance(kind, Scale):
        ends = f"{kind.lo} = {kind.lo_label}, {kind.hi} = {kind.hi_label}"
        click.echo(f"  {ends}" if kind.lo_label or kind.hi_label else "")
        if isinstance(domain, Levels):
            return _Grid(Decimal(kind.lo), Decimal(kind.hi), Decimal(1), wording).ask("")
    if isinstance(domain, Checks):
        _list(question.options)
        return _prompt(wording.say("question.choose_several"), _several(question, domain, wording))
    return _ask_one(question.options, wording)


def find(text: str, labels: Sequence[str], wording: Wording) -> int:
    """An option by its label, or by its number in the list."""
    wanted = text.strip().casefold()
    for number, label in enumerate(labels):
        if label.casefold() == wanted:
            return number
    number = int(wanted) if _NUMBER.fullmatch(wanted) else 0
    require(
        1 <= number <= len(labels),
        "option_out_of_range",
        wording.say("terminal.no_option", text=text.strip()[:40], count=len(labels)),
    )
    return number - 1


def _ask_one(labels: Sequence[str], wording: Wording) -> int:
    _list(labels)
    found: int = _prompt(wording.say("question.choose"), lambda text: find(text, labels, wording))
    return found


def _several(question: Question, domain: Checks, wording: Wording) -> Callable[[str], list[int]]:
    labels, own = question.options, len(question.kind.own_labels)

    def convert(text: str) -> list[int]:
        found = sorted({find(part, labels, wording) for part in text.split(",") if part.strip()})
        extra = len(found) - domain.at_most
        require(
            extra <= 0,
            "too_many_options",
            wording.say("boxes.too_many", ticked=len(found), most=domain.at_most, extra=extra),
        )
        silent = [labels[option] for option in found if option >= own]
        require(
            not silent or len(found) == 1,
            "silence_and_more",
            wording.say("terminal.alone", option="".join(silent[:1])),
        )
        return found

    return convert


def _ask_cross(kind: Cross, wording: Wording) -> int:
    """Two controls, one answer; silence is offered with the first."""
    silence = kind.labels[len(kind.own_labels) :]
    click.echo(kind.row_prompt)
    row = _ask_one([*kind.rows, *silence], wording)
    if row >= len(kind.rows):
        return len(kind.own_labels) + row - len(kind.rows)
    click.echo(kind.column_prompt)
    return row * len(kind.columns) + _ask_one(kind.columns, wording)


@dataclass(frozen=True)
class _Grid:
    """Numbers from lo to hi in steps, with the same complaints as the page's box for a number."""

    lo: Decimal
    hi: Decimal
    step: Decimal
    wording: Wording

    def ask(self, unit: str) -> int:
        """The level: steps above the lowest number."""
        lo, hi = self.wording.decimal(self.lo), self.wording.decimal(self.hi)
        range_text = f"{lo} … {hi} {unit}".rstrip()
        level: int = _prompt(f"{self.wording.say('question.choose')} ({range_text})", self._level)
        return level

    def _level(self, text: str) -> int:
        try:
            value = parse_decimal(self.wording.plain_decimal(text), "answer")
        except Refusal as refusal:
            raise Refusal(refusal.code, self._say("number.unreadable")) from None
        inside = self.lo <= value <= self.hi
        require(inside, "option_out_of_range", self._say("number.outside"))
        rest = (value - self.lo) % self.step
        near = {"below": value - rest, "above": value - rest + self.step}
        require(rest == 0, "option_out_of_range", self._say("number.between", near))
        return int((value - self.lo) / self.step)

    def _say(self, key: str, near: dict[str, Decimal] | None = None) -> str:
        """Whole numbers need no word about steps."""
        whole = self.step == 1 and self.lo % 1 == 0
        figures = {"lo": self.lo, "hi": self.hi, "step": self.step, **(near or {})}
        texts = {name: self.wording.decimal(figure) for name, figure in figures.items()}
        return self.wording.say(f"{key}{'.whole' if whole else ''}", **texts)


def _list(labels: Sequence[str]) -> None:
    if len(labels) > MOST_LISTED:
        return
    # A number beside a numeral would only confuse: what is typed is the label.
    numbered = not any(label.isdigit() for label in labels)
    for number, label in enumerate(labels, start=1):
        click.echo(f"  {number}  {label}" if numbered else f"  {label}")


def _prompt(text: str, convert: Callable[[str], Any]) -> Any:
    while True:
        # An empty line is an answer where no box is ticked, so the prompt must not swallow it.
        typed = click.prompt(text, default="", show_default=False)
        try:
            return convert(typed)
        except Refusal as refusal:
            click.echo(refusal.message)
