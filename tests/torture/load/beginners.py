"""A thousand people begin at once, and each needs a signature: nobody's report waits for them."""

import asyncio
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

from client.core.report import Report
from server.data_folder import DataFolder
from server.serving import running_services
from server.store.verify import verify
from tests.support.hand_in import HandIn, api_of, hand_in
from tests.support.live import send, stored
from tests.support.process import serving
from tests.support.publishing import publish_draft
from tests.support.tickets import Device, bought, new_links
from tests.torture.durability.recording import DRAFT
from tests.torture.load.beside import Signals, allow_connections, beside
from tests.torture.row import Outcome, Progress, Row

GOAL_SECONDS = 1.0
# Whoever is put off asks again after about as many seconds as the server says.
_SHORTEST, _LONGEST = 1.0, 3.0
# People who are ready to hand in while the others begin; each waits for the one before.
READY = 200


@dataclass
class Begun:
    """What the crowd heard: how long each had to try, and every status that is none of theirs."""

    seconds: list[float] = field(default_factory=list)
    put_off: int = 0
    strange: list[int] = field(default_factory=list)


def begin_all(signals: Signals, url: str, requests: Sequence[bytes], seed: int) -> Begun:
    """Ask for all tickets at once, again and again for those who are put off."""
    allow_connections(len(requests))
    begun = Begun()

    async def crowd() -> None:
        signals.ready.set()
        chance = Random(seed)
        await asyncio.gather(*(_begin(url, request, chance, begun) for request in requests))

    asyncio.run(crowd())
    return begun


async def _begin(url: str, request: bytes, chance: Random, begun: Begun) -> None:
    start = time.perf_counter()
    while True:
        status = await _ask(url, request)
        if status in (200, 201):
            begun.seconds.append(time.perf_counter() - start)
            return
        if status != 503:
            begun.strange.append(status)
            return
        begun.put_off += 1
        await asyncio.sleep(chance.uniform(_SHORTEST, _LONGEST))


async def _ask(url: str, request: bytes) -> int:
    """Return the status of one request over a connection of its own."""
    place = urlsplit(url)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    await reader.read()
    writer.close()
    return int(head.split(b" ", 2)[1])


@dataclass
class Both:
    """The crowd, and how long the reports took meanwhile."""

    begun: Begun
    reports: list[float]
    problems: list[str]


def hand_in_beside(amount: int, seed: int, progress: Progress) -> Both:
    """Let so many people begin at once, and others hand in until all have their tickets."""
    with tempfile.TemporaryDirectory() as name:
        folder = DataFolder(Path(name) / "data")
        requests, ready = _prepare(folder, amount)
        reports: list[float] = []
        problems: list[str] = []
        with serving(folder) as process, beside(begin_all, process.url, requests, seed) as crowd:
            for item in ready:
                start = time.perf_counter()
                answer = send(process.url, *item.request)
                reports.append(time.perf_counter() - start)
                if answer.status != 201:
                    problems.append(f"a report was answered with {answer.status}")
            begun = crowd.end()
        progress.advance(amount)
        if begun.strange:
            problems.append(f"somebody who began was answered with {begun.strange[0]}")
        given = sum(any(row[2]) for row in stored(folder)["invitations"])
        if given != amount + len(ready):
            problems.append(f"{given} tickets are given, not {amount + len(ready)}")
        problems += verify(folder.database, log_key=folder.log_key).problems
    return Both(begun, reports, problems)


def _prepare(folder: DataFolder, amount: int) -> tuple[list[bytes], list[HandIn]]:
    """Publish, and return the requests of those who begin and of those who hand in."""
    with running_services(folder) as services:
        draft: dict[str, Any] = {**DRAFT, "access": "invited"}
        survey = publish_draft(services, draft).published.survey
        codes = new_links(services, survey, amount + READY)
        body = Report(survey.fingerprint, {item.id: 1 for item in survey.questions}).body
        ready = [hand_in(survey, body, bought(services, survey, code)) for code in codes[:READY]]
    head = f"POST {api_of(survey)}/tickets HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    head += "Content-Type: application/json\r\nContent-Length: "
    bodies = [Device(survey, code).body for code in codes[READY:]]
    return [f"{head}{len(wish)}\r\n\r\n".encode() + wish for wish in bodies], ready


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Let so many people begin at once."""
    both = hand_in_beside(amount, seed, progress)
    longest, last = max(both.reports), max(both.begun.seconds, default=0.0)
    problems = list(both.problems)
    if longest >= GOAL_SECONDS:
        problems.append(f"a report took {1000 * longest:.0f} ms")
    figure = (
        f"{amount:,} tickets in {last:.0f} s ({amount / last:.0f} per second), "
        f"{both.begun.put_off:,} times put off; of {len(both.reports)} reports meanwhile the "
        f"slowest took {1000 * longest:.0f} ms, the median "
        f"{1000 * sorted(both.reports)[len(both.reports) // 2]:.0f} ms"
    )
    return Outcome(figure, not problems, "; ".join(problems))


ROW = Row(
    "beginners",
    "people with personal links who all begin at once, while others hand in, one after the other",
    f"1,000 people get their tickets; no report takes {GOAL_SECONDS:.0f} s, and none is refused",
    1000,
    "people",
    run,
)
