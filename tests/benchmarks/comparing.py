"""Compare Candor with its peers: one run, its findings as JSON, the page made from them."""

import json
import time
from collections.abc import Callable
from typing import Any

from tests.benchmarks import accuracy, billion, large, machine, serving, side_by_side
from tests.benchmarks.accuracy import Runs
from tests.benchmarks.page import page
from tests.benchmarks.peer_process import PEERS, ROOT
from tests.benchmarks.sections import PAGE, section_of, with_section
from tests.benchmarks.side_by_side import Scale
from tests.benchmarks.works import SUBSET, WORKS

FINDINGS = ROOT / "build" / "benchmarks.json"
SCALE = Scale(seconds=0.6, rounds=5)
# The error of one run varies by a third with 16 options and by an eighth with 128: this many runs
# resolve 1 %. The peers are slow and get as few runs as a figure needs.
RUNS = {16: Runs(own=1500, peers=30), 128: Runs(own=300, peers=30)}

# Sections that have runs of their own.
OTHERS = (serving.TITLE, large.TITLE)


def compare(progress: Callable[[str], object]) -> dict[str, Any]:
    """Measure everything that the page says."""
    progress("limits of the machine")
    limits = machine.limits(SCALE.rounds)
    speed = side_by_side.measure(WORKS, PEERS, SCALE, progress)
    progress("a billion respondents")
    subsets = [work for work in WORKS if work.name == SUBSET and work.options in RUNS]
    return {
        "machine": machine.describe(),
        "limits": limits,
        "rounds": SCALE.rounds,
        **speed,
        "billion": billion.measure(SCALE.rounds),
        "accuracy": accuracy.measure(
            subsets, PEERS, [RUNS[work.options] for work in subsets], progress
        ),
    }


def write_page() -> None:
    """Measure, keep the findings, and write the page."""
    start = time.monotonic()
    findings = compare(
        lambda text: print(f"  {time.monotonic() - start:4.0f} s  {text}", flush=True)
    )
    FINDINGS.parent.mkdir(exist_ok=True)
    FINDINGS.write_text(json.dumps(findings, indent=1))
    before, text = PAGE.read_text(), page(findings)
    for title in OTHERS:
        if kept := section_of(before, title):
            text = with_section(text, kept)
    PAGE.write_text(text)
    print(f"  {PAGE.name} is written")
