"""Leaks in the page, planted one by one: the leak hunt finds every one, and nothing without them.

On a person's own device, by invitation, with a group that was chosen and unsent answers that were
kept; and on a device that people hand over to each other.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import launch_options
from tests.browser.observables import all_but_the_report, the_clock
from tests.browser.one_script import Change, changed_script
from tests.browser.server_process import ServerProcess, serving
from tests.browser.sessions import Crowd, Session, Steps, invited_crowd, shared_crowd
from tests.support.hunter import Bools, Verdict, deal, encode, hunt
from tests.torture.privacy.page_leaks import (
    ANSWERED,
    DIGITS,
    INVITED,
    OWN_DEVICE,
    PADDING,
    REPORT,
    SHARED,
    SHARED_DEVICE,
    answer_of,
    leaking,
    slower,
)
from tests.torture.row import Outcome, Progress, Row

LEAST_PLANTED = 15
# All 32 guesses right come by chance once in 6e8 deals; two of them may be wrong.
EACH = 32
# In milliseconds: the first if the machine is quiet enough, the last however busy it is.
DELAYS = (5, 50, 500, 5000)


@dataclass(frozen=True)
class Road:
    """A way to answer, with the leaks that are planted on it."""

    leaks: Mapping[str, Change]
    # With all leaks at once, so many that two given ones hardly ever agree by chance so often that
    # the one is taken for the other: less than once in 10,000 runs.
    each: int
    crowd: Callable[[Browser, ServerProcess, int], AbstractContextManager[Crowd]]


def _invited(browser: Browser, server: ServerProcess, people: int) -> AbstractContextManager[Crowd]:
    return invited_crowd(browser, server, str(INVITED["slug"]), people)


def _shared(browser: Browser, server: ServerProcess, people: int) -> AbstractContextManager[Crowd]:
    return shared_crowd(browser, server, str(SHARED["slug"]))


def _digits(browser: Browser, server: ServerProcess, people: int) -> AbstractContextManager[Crowd]:
    return shared_crowd(browser, server, str(DIGITS["slug"]))


OWN = Road(OWN_DEVICE, 40, _invited)
NEXT = Road(SHARED_DEVICE, EACH, _shared)
LENGTH, DELAY = "a report without its padding", "a delay by the answer"
PLANTED = [*OWN.leaks, *NEXT.leaks, LENGTH, DELAY]


@contextmanager
def planted_server(folder: Path) -> Iterator[ServerProcess]:
    with serving(folder, INVITED, SHARED, DIGITS) as running:
        yield running


class Hunt:
    """A browser whose script can be changed, a server, and the hunter that watches both."""

    def __init__(self, browser: Browser, server: ServerProcess, dice: Random) -> None:
        self._browser, self._server, self._dice = browser, server, dice

    def find(self, road: Road) -> Iterator[tuple[str, Verdict]]:
        """Plant all leaks of a road at once; yield what is found of each, and of none.

        Every bit of the answers is dealt for itself, so that each leak is hidden by the others.
        """
        bits = [deal(road.each, self._dice) for _ in road.leaks]
        answers = [answer_of(list(one)) for one in zip(*bits, strict=True)]
        seen = _all_seen(self._watch(road.crowd, answers, leaking(road.leaks)))
        for leak, own in zip(road.leaks, bits, strict=True):
            yield leak, hunt(seen, own)
        yield "", hunt(seen, deal(road.each, self._dice))

    def find_without_leaks(self, road: Road) -> Verdict:
        """Let people with two opposite truths answer on the shipped page."""
        truths = deal(EACH, self._dice)
        answers = [answer_of([truth] * 2 * len(OWN_DEVICE)) for truth in truths]
        return hunt(_all_seen(self._watch(road.crowd, answers, [])), truths)

    def find_length_and_delay(self, delays: Sequence[int] = DELAYS) -> tuple[Verdict, int]:
        """Leave out the padding, and be slower if the answer is odd.

        Returns what is found of the length, and the first of the delays that is found; 0 for none.
        """
        longer, odd = deal(EACH, self._dice), deal(EACH, self._dice)
        answers = [[10 * two + one] for two, one in zip(longer, odd, strict=True)]
        unpadded = (REPORT, PADDING, "")
        sessions = self._watch(_digits, answers, [unpadded, ANSWERED, slower(delays[0])])
        by_length = hunt(_all_seen(sessions), longer)
        if _finds_the_clock(sessions, odd):
            return by_length, delays[0]
        return by_length, next(filter(self._finds_delay, delays[1:]), 0)

    def _finds_delay(self, delay: int) -> bool:
        truths = deal(EACH, self._dice)
        answers = [[truth] for truth in truths]
        return _finds_the_clock(self._watch(_digits, answers, [ANSWERED, slower(delay)]), truths)

    def _watch(
        self,
        road: Callable[[Browser, ServerProcess, int], AbstractContextManager[Crowd]],
        answers: Sequence[Sequence[int]],
        changes: Sequence[Change],
    ) -> list[Session]:
        """Return what can be seen of people with these answers on a page with another script."""
        steps: list[Steps] = [
            [(card, 0, str(answer)) for card, answer in enumerate(one)] for one in answers
        ]
        with road(self._browser, self._server, len(answers)) as people:
            changed_script(people.page, *changes)
            return people.answer_all(steps, range(len(steps)))


def _all_seen(sessions: Sequence[Session]) -> Bools:
    return encode([all_but_the_report(session) for session in sessions])


def _finds_the_clock(sessions: Sequence[Session], truths: Sequence[int]) -> bool:
    return hunt(encode([the_clock(session) for session in sessions]), truths).accuses(0)


@contextmanager
def hunting(seed: int) -> Iterator[Hunt]:
    with (
        tempfile.TemporaryDirectory() as folder,
        planted_server(Path(folder)) as server,
        sync_playwright() as playwright,
        playwright.chromium.launch(**launch_options()) as browser,
    ):
        yield Hunt(browser, server, Random(seed))


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Plant all leaks, and hunt on the shipped page."""
    found: set[str] = set()
    accused = 0
    with hunting(seed) as hunter:
        for road in (OWN, NEXT):
            verdicts = dict(hunter.find(road))
            accused += verdicts.pop("").accuses(0) + hunter.find_without_leaks(road).accuses(0)
            found |= {leak for leak, verdict in verdicts.items() if verdict.accuses(0)}
            progress.advance(len(road.leaks))
        by_length, delay = hunter.find_length_and_delay()
        found |= {LENGTH} if by_length.accuses(0) else set()
        found |= {DELAY} if delay else set()
        progress.advance(2)
    return outcome(found, accused, delay)


def outcome(found: set[str], accused: int, delay: int) -> Outcome:
    """Return what came of it: all leaks must be found, and nothing where there is none."""
    missed = [leak for leak in PLANTED if leak not in found]
    figure = (
        f"{len(PLANTED)} planted, {len(found)} found (the delay from {delay} ms on); "
        f"without a leak, {accused} of 4 hunts found one"
    )
    wrong = [f"missed: {leak}" for leak in missed] + ["found what is not there"] * (accused > 0)
    met = not wrong and len(PLANTED) >= LEAST_PLANTED
    return Outcome(figure, met, wrong[0] if wrong else "")


ROW = Row(
    "planted-leaks",
    "a leak of one bit of an answer, built into the page: bytes, requests, times, storage, kept "
    "answers, invitations, groups and the shared device; the leak hunt must find it",
    f"at least {LEAST_PLANTED} planted, all found, and nothing found without a leak",
    len(PLANTED),
    "leaks",
    run,
)
