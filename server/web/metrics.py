"""Whether the server works, for monitoring. Nothing here moves with a single respondent.

Whoever keeps metrics keeps a time beside every figure. A count of requests or of reports would thus
write down when somebody answered, which Candor stores nowhere. So there is no such count, and sizes
are rounded to steps of tens of thousands of reports.
"""

import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from client import __version__
from client.core.primitives.refusal import Refusal
from server.clock.trust import Trust
from server.store import reading
from server.store.database import Connection
from server.surveys.states import State
from server.web.services import Services

TYPE = "text/plain; version=0.0.4; charset=utf-8"
# A report takes some hundred bytes.
STEP = 2**24
_SECONDS = 5
_Samples = Mapping[str, float]


def require_health(services: Services) -> None:
    """Raise if the file cannot be read, or if the writer does not answer."""
    reading.slugs(services.database.reader)
    services.database.write_in_set(_SECONDS, _nothing, None)


def metrics_text(services: Services) -> str:
    """Return all metrics in the text format of Prometheus."""
    return "".join(f"{line}\n" for line in _lines(services))


def _lines(services: Services) -> Iterator[str]:
    yield from _gauge("candor_info", "The version that runs.", {f'{{version="{__version__}"}}': 1})
    yield from _gauge(
        "candor_healthy", "1 if reports can be stored now.", {"": int(_is_healthy(services))}
    )
    yield from _gauge(
        "candor_clock_trusted",
        "1 if surveys are closed and reports deleted by the clock; see `candor clock`.",
        {"": int(services.watch.look() is Trust.STEADY)},
    )
    yield from _gauge(
        "candor_surveys", "Surveys by the state of their newest version.", _states(services)
    )
    free = shutil.disk_usage(services.database.folder).free
    yield from _gauge(
        "candor_disk_free_bytes",
        "Space that is left for the data folder, rounded down to 16 MiB.",
        {"": free // STEP * STEP},
    )


def _states(services: Services) -> _Samples:
    db = services.database.reader
    found = Counter(reading.newest(db, slug).state for slug in reading.slugs(db))
    # The respondent with the last report that was wanted makes a survey full.
    found[State.OPEN] += found.pop(State.FULL, 0)
    unseen = (State.DRAFT, State.FULL)
    return {f'{{state="{state}"}}': found[state] for state in State if state not in unseen}


def _gauge(name: str, help: str, samples: _Samples) -> Iterator[str]:
    yield f"# HELP {name} {help}"
    yield f"# TYPE {name} gauge"
    for labels, value in samples.items():
        yield f"{name}{labels} {value}"


def _is_healthy(services: Services) -> bool:
    try:
        require_health(services)
    except Refusal:
        return False
    return True


def _nothing(db: Connection, items: list[None]) -> Sequence[None]:
    return items
