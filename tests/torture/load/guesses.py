"""Thousands of wrong passwords: those who know theirs still get in.

Most guesses name nobody, some name a researcher. At first they come in a crowd, and every hash
costs what it really costs: most guessers are sent away with 503 before theirs is computed. All
others are compared. For these a hash is cheap, else ten thousand would take half an hour.
"""

import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from urllib.parse import urlencode

from server.accounts import passwords
from server.data_folder import DataFolder
from tests.support.crowd import Heard, send_all
from tests.support.hand_in import HandIn
from tests.support.live import Live, live
from tests.support.researcher import FORM, Browser, hire, logged_in, password_hash
from tests.torture.durability.recording import DRAFT
from tests.torture.row import Outcome, Progress, Row

# Of so many guesses, one comes in the crowd.
CROWDED = 10
CROWD = 4 * passwords.MOST_AT_THE_DOOR
# So few are never sent away.
FEW = passwords.MOST_AT_THE_DOOR // 2
# Nobody guesses at this name, so a browser that is new to the server may use it.
SPARED = "ana"
# Strangers know this name; its owner has a browser that has logged in before.
ATTACKED = "bea"
ATTACKED_SHARE = 0.05
LOGIN = "/workbench/login"
IN, WRONG, TOO_MANY, BUSY = 303, 403, 429, 503


@dataclass
class Watch:
    """What the guessers heard, and what the two researchers heard at the same time and after."""

    guesses: Counter[int] = field(default_factory=Counter)
    known: Counter[int] = field(default_factory=Counter)
    longest: float = 0.0
    new_after: int = 0

    def judge(self) -> Iterator[str]:
        """Say what is wrong."""
        if set(self.guesses) - {WRONG, TOO_MANY, BUSY}:
            yield f"guesses were answered with {dict(self.guesses)}"
        if set(self.known) != {IN}:
            yield f"a known browser heard {dict(self.known)}"
        if self.new_after != IN:
            yield f"a new browser heard {self.new_after} after the guesses"


def flood(server: Live, amount: int, random: Random, progress: Progress) -> Watch:
    """Guess so many times, while a researcher logs in again and again."""
    watch, over = Watch(), threading.Event()
    hire(server, SPARED)
    hire(server, ATTACKED)
    known = logged_in(server, ATTACKED)
    owner = threading.Thread(target=lambda: _log_in_until(over, known, watch))
    owner.start()

    def listen(answer: Heard) -> None:
        watch.guesses[answer.status] += 1
        progress.advance()

    guesses = _guesses(server, amount, random)
    send_all(server.url, islice(guesses, amount // CROWDED), CROWD, listen)
    with cheap_hashes():
        send_all(server.url, guesses, FEW, listen)
    over.set()
    owner.join()
    watch.new_after = Browser(server).log_in(SPARED).status
    return watch


@contextmanager
def cheap_hashes() -> Iterator[None]:
    """Let a guess at a name that nobody has cost as little as the researchers' own hashes here."""
    costly = passwords._NOBODYS
    passwords._NOBODYS = password_hash()
    try:
        yield
    finally:
        passwords._NOBODYS = costly


def _log_in_until(over: threading.Event, known: Browser, watch: Watch) -> None:
    while not (watch.known and over.is_set()):
        known.post("/workbench/logout")
        start = time.perf_counter()
        watch.known[known.log_in(ATTACKED).status] += 1
        watch.longest = max(watch.longest, time.perf_counter() - start)
        over.wait(0.2)


def _guesses(server: Live, amount: int, random: Random) -> Iterator[HandIn]:
    """Yield forms with wrong passwords, all from one session of a stranger."""
    stranger = Browser(server)
    token = stranger.token()
    headers = {"Content-Type": FORM, "Cookie": stranger.cookie}
    for number in range(amount):
        name = ATTACKED if random.random() < ATTACKED_SHARE else f"name-{number}"
        fields = {"csrf_token": token, "name": name, "password": f"guess number {number}"}
        yield HandIn(str(number), "POST", LOGIN, urlencode(fields).encode(), headers)


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Guess so many times."""
    with (
        tempfile.TemporaryDirectory() as name,
        live(DataFolder(Path(name) / "data"), DRAFT) as server,
    ):
        watch = flood(server, amount, Random(seed), progress)
    wrong = list(watch.judge())
    heard = watch.guesses
    figure = (
        f"{heard.total():,} guesses ({heard[WRONG]:,} compared, {heard[TOO_MANY]:,} over a name's "
        f"budget, {heard[BUSY]:,} sent away); meanwhile {watch.known[IN]} of "
        f"{watch.known.total()} logins from a known browser, the longest in {watch.longest:.1f} s"
    )
    if heard.total() != amount:
        wrong.append(f"only {heard.total():,} guesses were answered")
    return Outcome(figure, not wrong, "; ".join(wrong))


ROW = Row(
    "guesses",
    f"wrong passwords, most of them for made-up names, and at first over {CROWD} connections",
    "10,000 guesses; a known browser gets in at any time, a new one when they are over",
    10_000,
    "guesses",
    run,
)
