"""What each mechanism says in words: one entry per mechanism, found by its name.

The page says the same (`odds.js`). The texts themselves are in the catalogue.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomizedResponse,
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    SubsetSelection,
    TwoLevel,
)
from client.core.primitives.domain import Levels
from client.core.question import Question
from client.wording.catalogue import Wording

Values = Mapping[str, str | int]


def _kept_draws(m: TwoLevel, answer: Any, randomized: Any) -> tuple[int, int]:
    return m.near_draws(answer, randomized), m.draws


@dataclass(frozen=True)
class Sentences:
    """The sentences about one mechanism."""

    # Describes a report to researchers in one sentence.
    sends: Callable[[Any], str]
    # Returns the catalogue key of its odds, and the values for these sentences.
    odds: Callable[[Question, Any], tuple[str, Values]]
    # Describes a report to the person who sends it.
    report: Callable[[Question, Any, Any, Wording], str]
    # Returns how many parts of the answer are in what is sent, out of how many.
    kept: Callable[[Any, Any, Any], tuple[int, int]] = _kept_draws


def sends(mechanism: TwoLevel) -> str:
    """Describe a mechanism's report to researchers in one sentence."""
    return SENTENCES[mechanism.name].sends(mechanism)


def level(question: Question, number: int, wording: Wording) -> str:
    """Format a level in the question's own unit; the numbers after the top are silence."""
    domain = question.domain
    if isinstance(domain, Levels) and number > domain.top:
        return question.kind.silence[number - domain.top - 1]
    return f"{_number(question, number, wording)} {question.unit}".rstrip()


def _number(question: Question, number: int, wording: Wording) -> str:
    grid = question.kind.grid
    assert grid is not None
    return wording.decimal(grid.value(number))


def _report_option(q: Question, m: Any, option: int, wording: Wording) -> str:
    return str(q.options[option])


def _report_set(q: Question, m: Any, items: list[int], wording: Wording) -> str:
    """Name the options of a set; the dummies that fill a private set stand for none of them."""
    sent = wording.listed(q.options[item] for item in items if item < len(q.options))
    return sent or wording.say("sent.none")


def _send_subset(m: SubsetSelection) -> str:
    if m.size == 1:
        return f"One of the {m.options:,} options, the true one more often than any other."
    return (
        f"{m.size:,} of the {m.options:,} options, with the true one among them more "
        "often than any other."
    )


def _odds_of_subset(q: Question, m: SubsetSelection) -> tuple[str, Values]:
    if m.size == 1:
        return "one", {"options": m.options}
    return "some", {"size": m.size, "options": m.options}


def _send_column(m: HadamardResponse) -> str:
    return (
        f"A number that stands for half of the {m.options:,} options, with the true one "
        "among them more often than any other."
    )


def _report_column(q: Question, m: HadamardResponse, column: int, wording: Wording) -> str:
    return wording.say("sent.half", number=column, columns=m.columns)


def _send_boxes(m: SampledChecks) -> str:
    return (
        f"Ticked or not for {m.asked:,} of the {m.options:,} boxes, drawn by chance; "
        "each may by chance be the opposite."
    )


def _report_boxes(q: Question, m: SampledChecks, pairs: list[list[int]], wording: Wording) -> str:
    return wording.listed(
        wording.say("sent.ticked" if bit else "sent.unticked", option=q.options[box])
        for box, bit in pairs
    )


def _send_private_set(m: PrivateSet) -> str:
    return (
        f"{m.size:,} out of the {m.options:,} options and {m.at_most:,} blank ones, "
        "each ticked one among them more often than any other."
    )


def _kept_in_private_set(m: PrivateSet, answer: list[int], items: list[int]) -> tuple[int, int]:
    """Count ticked options; no ticks are kept if no option is sent. Dummies are no answer."""
    if not answer:
        return int(min(items) >= m.options), 1
    return len(set(answer).intersection(items)), len(answer)


def _report_threshold(q: Question, m: RandomThreshold, pair: list[int], wording: Wording) -> str:
    limit, bit = pair
    return wording.say("sent.reached" if bit else "sent.below", limit=level(q, limit, wording))


def _send_window(m: SlidingWindow) -> str:
    what, other = ("A number", "") if not m.width else ("A range of numbers", " in it")
    if m.silent:
        fits = "that fits" if m.width else "equal to"
        return f"{what}, or silence; one {fits} the true answer more often than any other."
    return f"{what}, {'with ' if m.width else ''}the true one{other} more often than any other."


def _odds_of_window(q: Question, m: SlidingWindow) -> tuple[str, Values]:
    key, size = ("range", {"size": m.width + 1}) if m.width else ("number", {})
    return (f"{key}_or_silence", size) if m.silent else (key, size)


def _report_window(q: Question, m: SlidingWindow, place: int, wording: Wording) -> str:
    """Name the numbers that the report may have come from, its window, or its silent option."""
    beyond = place - m.top - m.near
    if beyond >= 0:
        return q.kind.silence[beyond // m.near]
    low, high = max(place - m.width, 0), min(place, m.top)
    if low == high:
        return level(q, high, wording)
    first = _number(q, low, wording)
    return wording.say("sent.range", low=first, high=level(q, high, wording))


SENTENCES: dict[str, Sentences] = {
    RandomizedResponse.name: Sentences(
        lambda m: "The true answer, or by chance the other one.",
        lambda q, m: ("rr", {"other": q.options[0], "option": q.options[1]}),
        _report_option,
    ),
    SubsetSelection.name: Sentences(_send_subset, _odds_of_subset, _report_set),
    HadamardResponse.name: Sentences(
        _send_column, lambda q, m: ("half", {"options": m.options}), _report_column
    ),
    SampledChecks.name: Sentences(
        _send_boxes,
        lambda q, m: ("boxes", {"asked": m.asked, "options": m.options}),
        _report_boxes,
    ),
    PrivateSet.name: Sentences(
        _send_private_set,
        lambda q, m: ("set", {"size": m.size, "options": m.options}),
        _report_set,
        _kept_in_private_set,
    ),
    RandomThreshold.name: Sentences(
        lambda m: (
            "Whether the answer is at least a number that is drawn by chance, or by chance the "
            "opposite."
        ),
        lambda q, m: ("limit", {}),
        _report_threshold,
    ),
    SlidingWindow.name: Sentences(_send_window, _odds_of_window, _report_window),
}
