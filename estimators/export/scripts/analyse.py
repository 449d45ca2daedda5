"""Print the estimates, and derive every figure of estimates.csv and covariance.csv again.

Everything is computed from reports.csv and design.json; codebook.csv gives the texts.

Needs only Python 3.11, numpy and scipy: run `python analyse.py` in the unpacked folder. It writes
rederived_estimates.csv and rederived_covariance.csv and prints how far they are from the originals.

The formulas are in the folder analysis/; start with counting.py. Of n reports c support an option;
p and q are the probabilities that a report supports the true option, and any other one. Numbers
such as (2.1) name a section of the README of Candor's estimators, here section 2.
"""

import csv
import math
import sys
from pathlib import Path
from statistics import NormalDist
from typing import Any

from analysis.covariance import covariance_rows
from analysis.levels import level_rows
from analysis.printing import print_estimates
from analysis.reading import counted, read_design, read_reports
from analysis.shares import option_rows

Row = dict[str, Any]


def main(folder: Path) -> None:
    design, reports = read_design(folder), read_reports(folder)
    z = NormalDist().inv_cdf((1 + design["confidence"]) / 2)
    estimates: list[Row] = []
    covariances: list[Row] = []
    for group in design["groups"]:
        for question in design["questions"]:
            counts, n = counted(question, reports, group)
            if not n:
                continue
            name = {"question": question["question"], "group": group}
            rows_of = level_rows if "step" in question else option_rows
            estimates += [name | {"n": n} | row for row in rows_of(question, counts, n, z)]
            if question["covariance"] and question["covariance"]["listed"]:
                options = list(range(question["covariance"]["options"]))
                rows = covariance_rows(question, counts, n, options)
                covariances += [name | row for row in rows]
    print_estimates(folder, design, estimates)
    write(folder, "estimates.csv", estimates, ["question", "group", "quantity", "option"])
    write(folder, "covariance.csv", covariances, ["question", "group", "option_1", "option_2"])


def write(folder: Path, name: str, rows: list[Row], key: list[str]) -> None:
    """Write the derived rows, and print how far they are from the file of that name."""
    columns = list(dict.fromkeys(column for row in rows for column in row)) or key
    with (folder / f"rederived_{name}").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        # An unknown figure is NaN and becomes an empty cell: only NaN differs from itself.
        writer.writerows({c: v for c, v in row.items() if v == v} for row in rows)
    with (folder / name).open(encoding="utf-8", newline="") as file:
        found = {tuple(row[part] for part in key): row for row in csv.DictReader(file)}
    worst = 0.0
    for row in rows:
        original = found[tuple(str(row.get(part, "")) for part in key)]
        for column, value in row.items():
            if isinstance(value, float) and original[column] and math.isfinite(value):
                gap = abs(value - float(original[column]))
                worst = max(worst, gap / max(1.0, abs(value)))
    print(f"{name}: {len(rows)} rows, the largest difference is {worst:.1e}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
