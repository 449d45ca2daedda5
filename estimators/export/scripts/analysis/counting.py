"""From reports to counts, and the probabilities p and q of a mechanism."""

import json
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Row = dict[str, Any]


def tally(question: Row, texts: list[str]) -> tuple[Array, int]:
    """Count reports per cell; a report may add to several cells, and "null" means not asked."""
    counts = np.zeros(question["cells"])
    reports = [json.loads(text) for text in texts if text != "null"]
    for report in reports:
        np.add.at(counts, cells_of(question["mechanism"]["name"], report), 1)
    return counts, len(reports)


def cells_of(name: str, report: Any) -> list[int]:
    """Return the cells to which one randomized answer adds."""
    match name:
        case "smp":  # pairs of a box and a bit
            return [2 * box + bit for box, bit in report]
        case "rt":  # "at least t?" and a bit
            return [2 * (report[0] - 1) + report[1]]
        case "ss" | "privset":  # a set
            return list(report)
    return [report]


def channel(shape: Row) -> tuple[float, float]:
    """Return p and q from the integers of the design (0, 1, 2.1, 2.2, 3)."""
    keep = shape["threshold"] / 2**32
    match shape["name"]:
        case "ss":
            return keep, (shape["size"] - keep) / (shape["options"] - 1)
        case "hr":
            return keep, 0.5
        case "privset":
            d, w = shape["options"], shape["size"]
            items = d + shape["at_most"]
            miss = math.comb(d, w) / math.comb(items, w)
            hit = keep / (1 - miss)
            return hit * w / items, hit * (w / items - miss * w / d) + (1 - keep) * w / d
        case "isw" if "silent" in shape:  # of an option for silence (5.5)
            near = shape["width"] + 1
            return keep, (1 - keep) * near / (shape["top"] + shape["silent"] * near)
    return keep, 1 - keep


def support(shape: Row, counts: Array, n: int) -> tuple[Array, Array]:
    """Return for each option the reports that support it, and the reports that are about it."""
    match shape["name"]:
        case "smp":
            return counts[1::2], counts[0::2] + counts[1::2]
        case "hr":
            reported = (n + walsh_hadamard(counts)[1 : shape["options"] + 1]) / 2
        case "privset":
            reported = counts[: shape["options"]]
        case "isw":  # the options for silence
            near = shape["width"] + 1
            reported = counts[shape["top"] + near :].reshape(-1, near).sum(axis=1)
        case _:
            reported = counts
    return reported, np.full(len(reported), float(n))


def walsh_hadamard(values: Array) -> Array:
    """Return for every c the sum over z of (-1)^popcount(c & z) values[z]."""
    half = 1
    while half < len(values):
        pairs = values.reshape(-1, 2, half)
        values = np.stack((pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]), axis=1).ravel()
        half *= 2
    return values
