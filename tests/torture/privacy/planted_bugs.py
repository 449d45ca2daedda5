"""Randomizers with one bug each, in Python and in JavaScript: every bug is caught.

The Python samplers meet the statistical audit or their exact channel, the page's scripts the
shared vectors or the counting of reports.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from client.core.assignment import TicketWords
from client.core.mechanisms import TwoLevel
from estimators.audit.audit import Sampler, audit
from tests.browser.node import in_node
from tests.browser.one_script import Change, without_start
from tests.support.exact_channel import answers_of, at_most_exp, channel_of, largest_ratio
from tests.torture.privacy import epsilon, sampler_bugs, script_bugs
from tests.torture.privacy.counting import GIVEN
from tests.torture.privacy.sampler_bugs import ONE
from tests.torture.row import Outcome, Progress, Row
from tests.vectors.generate import read

LEAST_PLANTED = 25
# Of every answer, in the audit of a Python sampler.
RUNS = 8_000
# Of each truth, in the counting of a script's reports.
PEOPLE = 8_000
# Enough for so many people: the goal of a real browser takes more.
LEAST_PROVEN = 0.5
CHECKS = Path(__file__).parent / "script_checks.mjs"
# Everything that draws.
FILES = ("words.jsonl", "mechanisms.jsonl", "askings.jsonl", "responses.jsonl", "tickets.jsonl")


def passes_audit(mechanism: TwoLevel, tape: str, sampler: Sampler | None = None) -> bool:
    """Return whether counting the reports of a Python sampler finds nothing wrong."""
    return audit(mechanism, ONE, TicketWords("tape", tape), RUNS, sampler).empirical_passes


def is_sound(mechanism: TwoLevel, sampler: Sampler | None = None) -> bool:
    """The exact channel: two levels of probability, all reports possible, no ratio too large."""
    whole = mechanism.near + mechanism.far
    near = mechanism.keep * whole / mechanism.near
    far = (1 - mechanism.keep) * whole / mechanism.far
    draws = range(mechanism.draws + 1)
    channels = [channel_of(mechanism, x, sampler) for x in answers_of(mechanism.domain)]
    reports = set().union(*channels)
    return (
        all(set(channel) == reports for channel in channels)
        and at_most_exp(largest_ratio(channels), ONE)
        and all(
            set(channel.values())
            == {near**d * far ** (mechanism.draws - d) / len(reports) for d in draws}
            for channel in channels
        )
    )


def reproduce_vectors(scripts: Sequence[str]) -> list[bool]:
    """Return for each script whether it reproduces every vector."""
    vectors = {file: read(file) for file in FILES}
    return [found == [] for found in _in_node("failedVectors", scripts, vectors)]


def count_well(scripts: Sequence[str]) -> list[bool]:
    """Return for each script whether its reports are counted as often as they must be."""
    counts = _in_node("counts", scripts, [*GIVEN, PEOPLE])
    return [
        not isinstance(found, str) and not epsilon.faults(found, LEAST_PROVEN) for found in counts
    ]


def _in_node(call: str, scripts: Sequence[str], given: Any) -> list[Any]:
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{number}.mjs" for number in range(len(scripts))]
        for file, script in zip(files, scripts, strict=True):
            file.write_text(f"{script}\nexport {{ modules }};\n", "utf-8")
        found: list[Any] = in_node(call, [file.as_uri() for file in files], given, module=CHECKS)
    return found


def _changed(bugs: Mapping[str, Change]) -> list[str]:
    return [without_start(change) for change in bugs.values()]


def missed(seed: int) -> Iterator[tuple[str, bool]]:
    """Plant every bug; yield what it does, and whether the checks miss it."""
    for name, (mechanism, sampler) in sampler_bugs.PLAIN.items():
        yield name, passes_audit(mechanism, f"{seed} {name}", sampler)
    for name, (mechanism, sampler) in sampler_bugs.SUBTLE.items():
        yield name, is_sound(mechanism, sampler)
    checks: list[tuple[dict[str, Change], Callable[[Sequence[str]], list[bool]]]] = [
        (script_bugs.VECTORS, reproduce_vectors),
        (script_bugs.COUNTING, count_well),
    ]
    for bugs, check in checks:
        yield from zip(bugs, check(_changed(bugs)), strict=True)


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Plant the first so many bugs."""
    found = []
    for name, is_missed in islice(missed(seed), amount):
        found += [name] * is_missed
        progress.advance()
    figure = f"{amount} planted, {amount - len(found)} caught"
    met = not found and amount >= LEAST_PLANTED
    return Outcome(figure, met, f"missed: a randomizer that {found[0]}" if found else "")


PLANTED = len(sampler_bugs.PLAIN | sampler_bugs.SUBTLE) + len(
    script_bugs.VECTORS | script_bugs.COUNTING
)
ROW = Row(
    "planted-bugs",
    "a bug of one line in a Python sampler, or in the page's script, for every mechanism, the "
    "random words and blind tickets; the audit, the exact channel, the shared vectors or the "
    "counting must catch it",
    f"at least {LEAST_PLANTED} planted, all caught",
    PLANTED,
    "bugs",
    run,
)
