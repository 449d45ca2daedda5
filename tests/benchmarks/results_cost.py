"""How much more the results page and estimates.json cost with many reports: goal under 1.5."""

import statistics
import tempfile
import time
from pathlib import Path

from server.app import create_app
from server.data_folder import DataFolder
from server.serving import running_services
from tests.benchmarks.bulk import fill

PATHS = ("/s/bulk/results", "/s/bulk/estimates.json")


def measure(few: int, many: int, rounds: int) -> dict[str, float]:
    """Return for each path the median time at `many` reports divided by that at `few`."""
    with tempfile.TemporaryDirectory() as name:
        small, large = (_times(Path(name) / str(n), n, rounds) for n in (few, many))
    return {path: large[path] / small[path] for path in PATHS}


def _times(path: Path, reports: int, rounds: int) -> dict[str, float]:
    folder = DataFolder(path)
    fill(folder, reports)
    with running_services(folder) as services:
        client = create_app(services).test_client()

        def once(path: str) -> float:
            start = time.perf_counter()
            response = client.get(path)
            assert response.status_code == 200
            return time.perf_counter() - start

        for path_ in PATHS:
            once(path_)
        return {path_: statistics.median(once(path_) for _ in range(rounds)) for path_ in PATHS}
