"""Races: a survey is closed while reports arrive, and one report arrives many times at once."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from client.authoring.draft.survey import build_survey
from client.core.survey import Survey
from server.commands.remote import call_operator
from server.data_folder import DataFolder
from server.store.verify import verify
from tests.support.crowd import Heard, send_all, send_together
from tests.support.hand_in import HandIn, fresh, stored_ids
from tests.support.live import stored
from tests.support.process import ServerProcess
from tests.torture.durability.disk.place import in_memory
from tests.torture.durability.recording import DRAFT
from tests.torture.row import Outcome, Progress, Row

CONNECTIONS = 16
# Reports that want to be in before a closing; it comes after any number of them.
REPORTS_EACH = 80
# Of one data folder: every closing rewrites the file.
CLOSINGS_EACH = 25
TIMES = 50


@contextmanager
def serving() -> Iterator[tuple[DataFolder, str]]:
    """Run a server in a new folder."""
    with in_memory() as place:
        folder = DataFolder(place / "data")
        process = ServerProcess(folder)
        try:
            yield folder, process.url
        finally:
            process.kill()


def publish(folder: DataFolder, slug: str) -> Survey:
    draft = {**DRAFT, "slug": slug}
    call_operator(folder, "/surveys", json.dumps(draft).encode())
    return build_survey(draft)


def close_while_reports_arrive(folder: DataFolder, url: str, slug: str, after: int) -> list[str]:
    """Close a survey once so many reports are in and more arrive; say what is wrong."""
    survey, secret = publish(folder, slug), folder.secret
    items = [fresh(secret, survey, smokes=number % 2) for number in range(REPORTS_EACH)]
    statuses: dict[str, int] = {}
    enough, closings = threading.Event(), []

    def listen(answer: Heard) -> None:
        statuses[answer.item.id] = answer.status
        if len(statuses) >= after:
            enough.set()

    def close() -> None:
        enough.wait()
        closings.append(call_operator(folder, f"/surveys/{slug}/close"))

    closer = threading.Thread(target=close)
    closer.start()
    if not after:
        enough.set()
    send_all(url, items, CONNECTIONS, listen)
    closer.join()
    return list(_wrong(folder, url, items, statuses, closings[0]))


def _wrong(
    folder: DataFolder,
    url: str,
    items: list[HandIn],
    statuses: dict[str, int],
    closing: dict[str, Any],
) -> Iterator[str]:
    if set(statuses.values()) - {201, 410} or len(statuses) < len(items):
        yield f"answers are {sorted(statuses.values())}"
    taken = {id for id, status in statuses.items() if status == 201}
    again: dict[str, int] = {}
    send_all(url, items, CONNECTIONS, lambda answer: again.update({answer.item.id: answer.status}))
    if again != {item.id: 200 if item.id in taken else 410 for item in items}:
        yield "sent again after the closing, a report hears something else"
    late = {item.id for item in items} & set(stored_ids(folder)) - taken
    if late or closing["reports"] != len(taken):
        yield f"closed with {closing['reports']}, {len(taken)} acknowledged, {len(late)} late"


def run_closings(amount: int, seed: int, progress: Progress) -> Outcome:
    """Close so many surveys, in as many data folders as that takes."""
    random, wrong = Random(seed), []
    for start in range(0, amount, CLOSINGS_EACH):
        with serving() as (folder, url):
            for number in range(start, min(start + CLOSINGS_EACH, amount)):
                after = random.randint(0, REPORTS_EACH * 3 // 4)
                wrong += close_while_reports_arrive(folder, url, f"race-{number}", after)
                progress.advance()
            wrong += verify(folder.database, log_key=folder.log_key).problems
    figure = f"{amount} closings, {len(wrong)} with a late, doubled or lost report"
    return Outcome(figure, not wrong, wrong[0] if wrong else "")


def run_same_report(amount: int, seed: int, progress: Progress) -> Outcome:
    """Send so many reports, each many times at once."""
    random, wrong = Random(seed), []
    with serving() as (folder, url):
        survey, secret = publish(folder, "habits"), folder.secret
        for start in range(0, amount, 100):
            count = min(100, amount - start)
            rounds = [
                [fresh(secret, survey, smokes=random.randrange(2))] * TIMES for _ in range(count)
            ]
            for statuses in send_together(url, rounds):
                if sorted(statuses) != [200] * (TIMES - 1) + [201]:
                    wrong.append(f"the answers to one report are {sorted(statuses)}")
                progress.advance()
        rows = len(stored(folder)["reports"])
        if rows != amount:
            wrong.append(f"{rows} rows")
        wrong += verify(folder.database, log_key=folder.log_key).problems
    figure = f"{amount:,} reports, {TIMES} times each at once, {len(wrong)} not stored exactly once"
    return Outcome(figure, not wrong, wrong[0] if wrong else "")


CLOSE_RACES = Row(
    "close-races",
    f"a survey is closed while {CONNECTIONS} connections send reports",
    "500 closings, 0 late, 0 doubled",
    500,
    "closings",
    run_closings,
)
SAME_REPORT = Row(
    "same-report",
    f"the same report {TIMES} times at once",
    "1,000 trials, each stored exactly once, everyone answered 201 or 200",
    1000,
    "reports",
    run_same_report,
)
