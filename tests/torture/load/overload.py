"""Four times as many reports as the server can take: whoever is refused hears so at once."""

import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from client.authoring.draft.survey import build_survey
from server.commands.remote import call_operator
from server.data_folder import DataFolder
from server.store.verify import verify
from tests.support.hand_in import HandIn, fresh, stored_ids
from tests.support.process import serving
from tests.torture.durability.recording import DRAFT
from tests.torture.load.beside import allow_connections
from tests.torture.load.pump import Pump, Pumped
from tests.torture.row import Outcome, Progress, Row

TIMES = 4
# Tried a little faster, since whoever sends falls behind now and then.
MARGIN = 1.1
FEW, MANY = 64, 1600
# To measure the rate that the server can take, before and after.
REPORTS = 4000
REST_SECONDS = 5.0
GOAL_SECONDS = 1.0
# Of the rate before; the machine's own rate changes by some percent from second to second.
GOAL_SHARE_AFTER = 0.80


@dataclass
class Overload:
    """What was measured: before, during and after."""

    before: Pumped
    during: list[Pumped] = field(default_factory=list)
    after: Pumped = field(default_factory=Pumped)
    lost: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def times(self) -> float:
        """What was sent per second, as a multiple of what can be taken."""
        seconds = sum(each.sending for each in self.during)
        return sum(each.sent for each in self.during) / seconds / self.before.accepted

    def longest(self, status: int) -> float:
        """The longest wait for such an answer during the overload."""
        replies = (reply for each in self.during for reply in each.replies)
        return max((reply.seconds for reply in replies if reply.status == status), default=0.0)

    def count(self, status: int) -> int:
        return sum(reply.status == status for each in self.during for reply in each.replies)

    @property
    def share_after(self) -> float:
        return self.after.accepted / self.before.accepted


def overload(
    seconds: int, times: float, reports: int, rest: float, connections: int, progress: Progress
) -> Overload:
    """Send more than the server can take for so many seconds, rest, and send what it can take."""
    allow_connections(FEW + connections)
    with tempfile.TemporaryDirectory() as name:
        folder = DataFolder(Path(name) / "data")
        with serving(folder) as process:
            call_operator(folder, "/surveys", json.dumps(DRAFT).encode())
            found = Overload(_full_speed(folder, process.url, reports))
            with closing(Pump(process.url, connections)) as pump:
                rate = times * found.before.accepted
                waiting = [_fresh(folder, int(rate)) for _ in range(seconds)]
                for items in waiting:
                    found.during.append(pump.send(items, rate))
                    progress.advance()
            time.sleep(rest)
            found.after = _full_speed(folder, process.url, reports)
        _count(folder, found)
    return found


def _full_speed(folder: DataFolder, url: str, reports: int) -> Pumped:
    """Send reports over few connections, as fast as they are answered; the first are a warm-up."""
    with closing(Pump(url, FEW)) as pump:
        first = pump.send(_fresh(folder, reports // 4))
        done = pump.send(_fresh(folder, reports))
        return Pumped([*first.replies, *done.replies], done.sending, done.seconds, done.sent)


def _fresh(folder: DataFolder, reports: int) -> list[HandIn]:
    survey, secret = build_survey(DRAFT), folder.secret
    items = [fresh(secret, survey) for _ in range(reports)]
    # Written out before, not while the time runs.
    assert all(item.wire for item in items)
    return items


def _count(folder: DataFolder, found: Overload) -> None:
    """Compare what is stored with what was acknowledged."""
    runs = (found.before, *found.during, found.after)
    acknowledged = {reply.item.id for each in runs for reply in each.replies if reply.status == 201}
    stored = set(stored_ids(folder))
    found.lost = len(acknowledged - stored)
    if stored - acknowledged:
        found.problems.append(f"{len(stored - acknowledged)} refused reports are stored")
    found.problems += verify(folder.database, log_key=folder.log_key).problems


def judge(found: Overload) -> Iterator[str]:
    """Say what is wrong, except how fast the server was."""
    if found.lost:
        yield f"{found.lost} acknowledged reports are lost"
    yield from found.problems[:1]
    replies = [reply for each in found.during for reply in each.replies]
    if len(replies) < sum(each.sent for each in found.during):
        yield "some were never answered"
    if {reply.status for reply in replies} - {201, 503}:
        yield "somebody heard something else than 201 or 503"
    if any(reply.status == 503 and b"\r\nRetry-After: " not in reply.head for reply in replies):
        yield "a refusal does not say when to try again"
    if {reply.status for reply in found.after.replies} != {201}:
        yield "reports were refused after the overload"


def _slow(found: Overload) -> Iterator[str]:
    if found.times < TIMES:
        yield f"only {found.times:.1f} times as much was sent"
    if found.longest(503) >= GOAL_SECONDS:
        yield f"a refusal took {1000 * found.longest(503):.0f} ms"
    if found.share_after < GOAL_SHARE_AFTER:
        yield f"afterwards only {found.share_after:.0%} of the rate before"


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Overload for so many seconds. Tickets and ids are random as always, whatever the seed."""
    found = overload(amount, MARGIN * TIMES, REPORTS, REST_SECONDS, MANY, progress)
    short = [*judge(found), *_slow(found)]
    figure = (
        f"{found.times:.1f} times {found.before.accepted:,.0f} reports per second for {amount} s: "
        f"{found.count(201):,} stored (longest wait {1000 * found.longest(201):.0f} ms), "
        f"{found.count(503):,} refused (longest wait {1000 * found.longest(503):.0f} ms), "
        f"{found.lost} lost; {REST_SECONDS:.0f} s later {found.share_after:.0%} of the rate before"
    )
    return Outcome(figure, not short, "; ".join(short))


ROW = Row(
    "overload",
    f"{TIMES} times as many reports per second as the server can take, over {MANY:,} connections",
    f"whoever is refused hears 503 with Retry-After within {GOAL_SECONDS:.0f} s, nothing "
    f"acknowledged is lost, and {REST_SECONDS:.0f} s later all is as before",
    10,
    "seconds",
    run,
)
