"""How each randomizer makes a report of the truth, in words that give every chance."""

from client.mechanisms import TwoLevel

# How the matrix of a mechanism is made; T stands for the threshold.
RULES = {
    "rr": "With probability T/2^32 the report is the truth, else the other option.",
    "ss": "A report is a sorted set of `size` of the `options` options. With probability T/2^32 it "
    "is drawn evenly from the sets that hold the truth, else from those that do not.",
    "hr": "A report is a number z from 0 to `cells` - 1. It supports option v if z & (v + 1) has "
    "an even number of one-bits. With probability T/2^32 z is drawn evenly from those that "
    "support the truth, else from those that do not.",
    "smp": "A draw of `asked` out of `options` boxes is made evenly, whatever the truth. Of each "
    "the report says whether it is ticked: the truth with probability T/2^32, else the opposite. "
    "A report is a list of pairs [box, bit].",
    "privset": "The ticked options are filled up to `at_most` items with dummies, numbered from "
    "`options` on. A report is a sorted set of `size` of the `options` + `at_most` items. "
    "With probability T/2^32 it is drawn evenly from the sets that meet the answer, else "
    "from those that do not.",
    "rt": "t is drawn evenly from 1 to `top`, whatever the truth. The report [t, bit] says whether "
    "the level is at least t: the truth with probability T/2^32, else the opposite.",
    "isw": "Levels go from 0 to `top`, reports from 0 to `top` + `width`. With probability T/2^32 "
    "the report is drawn evenly from level .. level + `width`, else from all others.",
}


def rule_of(mechanism: TwoLevel) -> str:
    """The rule with the integers of this very question in it."""
    numbers = {**mechanism.shape, "cells": mechanism.cells}
    rule = RULES[mechanism.name]
    for name, number in numbers.items():
        rule = rule.replace(f"`{name}`", str(number))
    return rule.replace("T/2^32", f"{mechanism.threshold}/2^32")
