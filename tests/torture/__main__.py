"""Run the rows of TORTURE.md at full scale: `python -m tests.torture [--seed N] [ROW ...]`.

Without a name all rows run, one after the other. Each is written to the page as soon as it is done.
"""

import argparse
import datetime
import logging
import secrets
import sys

from client.console.progress import Bar
from tests.benchmarks import machine
from tests.torture import bad_input, durability, load, page, privacy
from tests.torture.row import Row

ROWS = (*load.ROWS, *durability.ROWS, *bad_input.ROWS, *privacy.ROWS)


def main() -> int:
    """Run the named rows and return 1 if one of them falls short."""
    names = [row.name for row in ROWS]
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("row", nargs="*", help=f"one of {', '.join(names)}; default: all")
    parser.add_argument("--seed", type=int, help="repeat a run; default: a new seed")
    asked = parser.parse_args()
    unknown = [name for name in asked.row if name not in names]
    if unknown:
        parser.error(f"row must be one of {', '.join(names)}, got {unknown[0]}")
    # What servers within this process log would run into the bar.
    logging.getLogger("candor").addHandler(logging.NullHandler())
    seed = secrets.randbelow(2**32) if asked.seed is None else asked.seed
    wanted = [row for row in ROWS if not asked.row or row.name in asked.row]
    met = [_run(row, seed, names) for row in wanted]
    return int(not all(met))


def _run(row: Row, seed: int, order: list[str]) -> bool:
    with Bar(row.name, row.amount, row.unit) as bar:
        outcome = row.run(row.amount, seed, bar)
    this = machine.describe()
    today = datetime.datetime.now(datetime.UTC).date()
    run = f"{today}, {seed}, {this['processor']}, {this['cores']} cores, Python {this['python']}"
    page.record(page.PAGE, page.line(row, outcome, run), order)
    print(f"{row.name}: {outcome.figure} (goal: {row.goal})", flush=True)
    if not outcome.met:
        print(f"{row.name} falls short: {outcome.reason}", file=sys.stderr)
    return outcome.met


if __name__ == "__main__":
    sys.exit(main())
