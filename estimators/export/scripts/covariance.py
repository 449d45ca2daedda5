"""Print how the estimated shares of some options vary together, as rows of covariance.csv.

python covariance.py name 3 17 240            in the unpacked folder, for everybody
python covariance.py name 3 17 240 --group g  for one group

covariance.csv leaves out lists of more than 256 options, whose matrix could have millions of
entries. This script computes any block of it from the counts, for a list of any length.
"""

import argparse
import csv
import sys
from pathlib import Path

from analysis.covariance import covariance_rows
from analysis.reading import counted, read_design, read_reports


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("question", help="as in codebook.csv")
    parser.add_argument("options", nargs="+", type=int, help="option numbers, as in codebook.csv")
    parser.add_argument("--group", default="", help="a group; default: everybody")
    given = parser.parse_args()
    folder = Path(".")
    found = [q for q in read_design(folder)["questions"] if q["question"] == given.question]
    if not found or not found[0]["covariance"]:
        parser.error(f"question {given.question!r} has no shares of options")
    count = found[0]["covariance"]["options"]
    options = sorted(set(given.options))
    if options[0] < 0 or options[-1] >= count:
        parser.error(f"options of {given.question} go from 0 to {count - 1}")
    counts, n = counted(found[0], read_reports(folder), given.group)
    if not n:
        parser.error(f"there are no reports to {given.question} in group {given.group!r}")
    rows = covariance_rows(found[0], counts, n, options)
    writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


if __name__ == "__main__":
    main()
