"""Random histories: reports in sets here, one by one there, the same answers and rows."""

import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from unittest.mock import patch

from hypothesis import seed as with_seed
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from server.store.database import Connection
from server.store.verify import verify
from server.store.writer import Job
from server.surveys.ballots.ballot import Ballot
from tests.support import one_by_one
from tests.support.ballots import (
    DAYS,
    EVENTS,
    IDS,
    INVITED,
    LOG_KEY,
    SLUGS,
    SMALL_TABLES,
    TABLES,
    Event,
    ballot,
    crowd,
    happen,
    heard,
    in_set,
    opened,
    publish_all,
    rows,
)
from tests.support.clock import FakeClock
from tests.torture.durability.disk.place import in_memory
from tests.torture.row import Outcome, Progress, Row

STEPS = 100
# In the folder of all runs: a database in which all surveys are open.
TEMPLATE = "template.db"
BALLOTS = st.builds(
    ballot,
    slug=st.sampled_from(SLUGS),
    version=st.sampled_from([1, 1, 1, 2]),
    id=st.sampled_from(IDS),
    smokes=st.sampled_from([0, 0, 1]),
    group=st.sampled_from([0, 0, 1]),
)
HAPPENINGS = st.tuples(st.sampled_from(sorted(EVENTS)), st.sampled_from(SLUGS))


class Histories(RuleBasedStateMachine):
    """The same history twice: reports in sets here, one by one there."""

    place: Path
    done: Callable[[int], None]

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(dir=self.place))
        self.steps = 0
        self.clock = FakeClock(DAYS[0])
        self.sets, self.model = (self._copy(name) for name in ("sets.db", "model.db"))
        self.sent = 1000

    def _copy(self, name: str) -> Connection:
        return opened(Path(shutil.copy(self.place / TEMPLATE, self.folder / name)), self.clock)

    @rule(batch=st.lists(st.one_of(BALLOTS, BALLOTS, BALLOTS, HAPPENINGS), min_size=1, max_size=16))
    def commit(self, batch: list[Ballot | Event]) -> None:
        """Ballots and other work, in one transaction."""
        self._commit(batch)

    @rule(
        # With as many tickets as there are ids, an invited survey takes no crowd.
        slug=st.sampled_from([slug for slug in SLUGS if slug not in INVITED]),
        count=st.integers(20, 70),
        others=st.lists(st.tuples(st.integers(0, 70), BALLOTS), max_size=6),
    )
    def come_in_crowds(self, slug: str, count: int, others: list[tuple[int, Ballot]]) -> None:
        """Many new ballots, so that milestones lie in the middle of a batch."""
        batch: list[Ballot | Event] = [*crowd(slug, self.sent, count)]
        self.sent += count
        for place, other in others:
            batch.insert(place, other)
        self._commit(batch)

    @rule(day=st.sampled_from(DAYS))
    def look_at_the_clock(self, day: str) -> None:
        self.clock.now = day
        self.steps += 1

    def _commit(self, batch: list[Ballot | Event]) -> None:
        self.steps += 1
        jobs = [in_set(item) if isinstance(item, Ballot) else happen(item) for item in batch]
        singly = [alone(item) if isinstance(item, Ballot) else happen(item) for item in batch]
        assert heard(self.sets, jobs) == heard(self.model, singly), "other answers"
        # Comparing all reports after every step would take longer than the steps.
        self._compare(TABLES if self.steps % 10 == 0 else SMALL_TABLES)

    def _compare(self, tables: Sequence[str]) -> None:
        assert rows(self.sets, tables) == rows(self.model, tables), "other rows"

    def teardown(self) -> None:
        self._compare(TABLES)
        self.sets.close()
        self.model.close()
        problems = verify(self.folder / "sets.db", log_key=LOG_KEY).problems
        assert problems == [], problems
        shutil.rmtree(self.folder)
        self.done(self.steps)


def alone(item: Ballot) -> Job:
    return Job(lambda db: one_by_one.put(db, item), alone=False)


def run(amount: int, seed: int, progress: Progress, steps: int = STEPS) -> Outcome:
    """Run so many histories; stop at the first that differs."""
    lengths: list[int] = []

    def done(length: int) -> None:
        lengths.append(length)
        progress.advance()

    # The new ids of a closing are drawn; both must draw the same.
    drawn = patch("server.store.lifecycle.spent.secure_hex", lambda words: "5a5a5a5a" * words)
    with in_memory() as place, drawn:
        publish_all(place / TEMPLATE)
        machine = type("Runs", (Histories,), {"place": place, "done": staticmethod(done)})
        # Several kinds of differences at once would come as a group of errors.
        chosen = settings(
            max_examples=amount,
            stateful_step_count=steps,
            database=None,
            report_multiple_bugs=False,
        )
        try:
            run_state_machine_as_test(with_seed(seed)(machine), settings=chosen)
        except AssertionError as error:
            return Outcome(f"history {len(lengths)} differs", False, str(error))
    figure = f"{len(lengths):,} histories with {sum(lengths):,} steps, 0 differ"
    return Outcome(figure, len(lengths) >= amount)


ROW = Row(
    "histories",
    f"random histories of up to {STEPS} steps: reports stored in sets, and one by one in a model",
    "1,000 histories, the same answers and rows",
    1000,
    "histories",
    run,
)
