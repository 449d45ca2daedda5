"""Check the privacy promise with nothing but this folder: python promise.py

Needs only Python 3.11. The promise: whatever somebody answers, no report to a question is more
than e^epsilon times as likely as with another answer; the epsilons of the questions that one person
is asked add up to the total. It follows from integers: the device draws a number below 2^32, and if
that is below the threshold T the report is drawn evenly from those near the truth, else evenly from
all others. So the largest ratio of two chances is T far / ((2^32 - T) near).
"""

import hashlib
import json
import sys
from decimal import Decimal, localcontext
from math import comb
from pathlib import Path

WORDS = 2**32
# The numbers in the matrices of design.json are rounded to floats.
ROUNDING = Decimal("1e-9")


def near_and_far(shape):
    """Return how many reports are near an answer and how many are not, up to a common factor."""
    name = shape["name"]
    if name == "ss":
        return shape["size"], shape["options"] - shape["size"]
    if name == "privset":
        far = comb(shape["options"], shape["size"])
        return comb(shape["options"] + shape["at_most"], shape["size"]) - far, far
    if name == "isw":
        return shape["width"] + 1, shape["top"] + shape.get("silent", 0) * (shape["width"] + 1)
    if name in ("rr", "hr", "smp", "rt"):
        return 1, 1
    raise SystemExit(f"BROKEN: unknown randomizer {name!r}")


def largest_ratio(shape):
    """Return the largest ratio of a report's chances under two answers, from the integers."""
    near, far = near_and_far(shape)
    ratio = Decimal(shape["threshold"] * far) / Decimal((WORDS - shape["threshold"]) * near)
    return max(ratio, 1 / ratio) ** shape.get("asked", 1)


def ratio_in(matrix):
    """Return the largest such ratio in a matrix; stop if a column does not sum to one."""
    for column in zip(*matrix, strict=True):
        if abs(sum(column) - 1) > ROUNDING:
            raise SystemExit("BROKEN: a column of a matrix does not sum to one")
    return max(Decimal(max(row)) / Decimal(min(row)) for row in matrix)


def check(condition, message):
    """Stop with the message unless the condition holds."""
    if not condition:
        raise SystemExit(f"BROKEN: {message}")


def main(folder):
    document = (folder / "survey.json").read_bytes()
    fingerprint = hashlib.sha256(document).hexdigest()
    survey = json.loads(document.decode("utf-8"))
    design = json.loads((folder / "design.json").read_text("utf-8"))
    check(design["fingerprint"] == fingerprint, "survey.json is not the document of design.json")
    print(f"The document has the fingerprint {fingerprint}")
    same = [q["question"] for q in design["questions"]] == [q["id"] for q in survey["questions"]]
    check(same, "design.json has other questions than survey.json")
    for question, used in zip(survey["questions"], design["questions"], strict=True):
        same = question["mechanism"] == used["mechanism"]
        check(same, f"{question['id']} is randomized in another way than the document says")
        allowed, ratio = Decimal(question["epsilon"]).exp(), largest_ratio(used["mechanism"])
        check(ratio <= allowed, f"{question['id']} leaks {ratio.ln():.12f}")
        line = f"{question['id']}: at most {ratio.ln():.12f} of the promised {question['epsilon']}"
        if used["matrix"]:
            gap = abs(ratio_in(used["matrix"]) / ratio - 1)
            check(gap < ROUNDING, f"the matrix of {question['id']} is another one")
            line += "; so says its matrix"
        print(line)
    epsilons = sorted(
        (Decimal(question["epsilon"]) for question in survey["questions"]), reverse=True
    )
    total = sum(epsilons[: survey["ask_each_person"] or len(epsilons)])
    check(total == Decimal(survey["total_epsilon"]), f"the epsilons add up to {total}")
    print(f"One person spends at most {survey['total_epsilon']}. The promise holds.")


if __name__ == "__main__":
    with localcontext() as context:
        context.prec = 400
        main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
