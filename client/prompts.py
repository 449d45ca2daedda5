"""One question asked in a terminal, whatever its kind; what is no answer is asked again."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import click

from client.decimals import decimal_text, parse_decimal
from client.domain import Checks, Levels
from client.kinds import Cross, Number, Scale
from client.question import Question
from client.refusal import Refusal, require
from client.wording import say

_NUMBER = re.compile(r"[0-9]{1,9}")
# Longer lists are not printed; typing the label finds the option.
MOST_LISTED = 30


def ask(question: Question) -> Any:
    """The true answer, as the mechanism takes it."""
    kind, domain = question.kind, question.domain
    if isinstance(kind, Cross):
        return _ask_cross(kind)
    if isinstance(kind, Number):
        return _ask_level(kind.lo, kind.hi, kind.step, kind.unit)
    if isinstance(kind, Scale):
        ends = f"{kind.lo} = {kind.lo_label}, {kind.hi} = {kind.hi_label}"
        click.echo(f"  {ends}" if kind.lo_label or kind.hi_label else "")
        if isinstance(domain, Levels):
            return _ask_level(Decimal(kind.lo), Decimal(kind.hi), Decimal(1), "")
    _list(question.options)
    if isinstance(domain, Checks):
        return _prompt(say("question.choose_several"), _several(question, domain))
    return _prompt(say("question.choose"), lambda text: find(text, question.options))


def find(text: str, labels: Sequence[str]) -> int:
    """An option by its label, or by its number in the list."""
    wanted = text.strip().casefold()
    for number, label in enumerate(labels):
        if label.casefold() == wanted:
            return number
    number = int(wanted) if _NUMBER.fullmatch(wanted) else 0
    require(
        1 <= number <= len(labels),
        "option_out_of_range",
        f"there is no option {text.strip()[:40]!r}; type a label, or a number from 1 to "
        f"{len(labels)}",
    )
    return number - 1


def _several(question: Question, domain: Checks) -> Callable[[str], list[int]]:
    labels, own = question.options, len(question.kind.own_labels)

    def convert(text: str) -> list[int]:
        found = sorted({find(part, labels) for part in text.split(",") if part.strip()})
        domain.check(found, "answer")
        silent = [labels[option] for option in found if option >= own]
        require(
            not silent or len(found) == 1,
            "silence_and_more",
            f"{''.join(silent[:1])!r} goes with no other option",
        )
        return found

    return convert


def _ask_cross(kind: Cross) -> int:
    """Two controls, one answer; silence is offered with the first."""
    silence = kind.labels[len(kind.own_labels) :]
    click.echo(kind.row_prompt)
    _list([*kind.rows, *silence])
    row = _prompt(say("question.choose"), lambda text: find(text, [*kind.rows, *silence]))
    if row >= len(kind.rows):
        return int(len(kind.own_labels) + row - len(kind.rows))
    click.echo(kind.column_prompt)
    _list(kind.columns)
    column = _prompt(say("question.choose"), lambda text: find(text, kind.columns))
    return int(row * len(kind.columns) + column)


def _ask_level(lo: Decimal, hi: Decimal, step: Decimal, unit: str) -> int:
    def convert(text: str) -> int:
        value = parse_decimal(text.strip(), "answer")
        require(
            lo <= value <= hi and (value - lo) % step == 0,
            "option_out_of_range",
            f"answer must be from {decimal_text(lo)} to {decimal_text(hi)} in steps of "
            f"{decimal_text(step)}, got {decimal_text(value)}",
        )
        return int((value - lo) / step)

    range_text = f"{decimal_text(lo)} … {decimal_text(hi)} {unit}".rstrip()
    level: int = _prompt(f"{say('question.choose')} ({range_text})", convert)
    return level


def _list(labels: Sequence[str]) -> None:
    if len(labels) > MOST_LISTED:
        return
    # A number beside a numeral would only confuse: what is typed is the label.
    numbered = not any(label.isdigit() for label in labels)
    for number, label in enumerate(labels, start=1):
        click.echo(f"  {number}  {label}" if numbered else f"  {label}")


def _prompt(text: str, convert: Callable[[str], Any]) -> Any:
    def checked(typed: str) -> Any:
        try:
            return convert(typed)
        except Refusal as refusal:
            raise click.UsageError(refusal.message) from None

    # An empty line is an answer where no box is ticked, so the prompt must not swallow it.
    return click.prompt(text, value_proc=checked, default="", show_default=False)
