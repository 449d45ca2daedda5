"""The machine and its limits: random bytes and copied bytes per second."""

import os
import platform
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from estimators.simulation.kernels.source import stream

# A block of random numbers fits into the cache; what is copied does not.
RANDOM_BYTES, COPIED_BYTES = 2**20, 2**27


def describe() -> dict[str, Any]:
    """Return processor, cores and versions."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def limits(rounds: int, copied: int = COPIED_BYTES) -> dict[str, dict[str, list[float]]]:
    """Return bytes per second of each round, by operation and number of threads."""
    threads = sorted({1, os.cpu_count() or 1})
    return {
        name: {str(count): [work(count) for _ in range(rounds)] for count in threads}
        for name, work in (("random", _random), ("copy", lambda count: _copy(count, copied)))
    }


def _random(threads: int) -> float:
    sources = [stream(1, number) for number in range(threads)]
    blocks = 100

    def draw(number: int) -> None:
        for _ in range(blocks):
            sources[number].bit_generator.random_raw(RANDOM_BYTES // 8)

    return threads * blocks * RANDOM_BYTES / _seconds(draw, threads)


def _copy(threads: int, copied: int) -> float:
    # Filled, because memory that was never written to is not allocated yet.
    pairs = [(np.ones(copied, np.uint8), np.ones(copied, np.uint8)) for _ in range(threads)]
    return threads * copied / _seconds(lambda number: np.copyto(*pairs[number]), threads)


def _seconds(work: Callable[[int], object], threads: int) -> float:
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda number: None, range(threads)))  # Start the threads before the clock.
        start = time.perf_counter()
        list(pool.map(work, range(threads)))
        return time.perf_counter() - start


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown"
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or "unknown"
