"""Python samplers with a one-line bug each: the audit or the exact channel catches every one."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomizedResponse,
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    SubsetSelection,
    TwoLevel,
)
from client.core.primitives.words import Words, below, bern, subset
from estimators.audit.audit import Sampler

ONE = Decimal(1)

RR = RandomizedResponse.at(ONE)
SS = SubsetSelection.at(ONE, options=6, size=2)
HR = HadamardResponse.at(ONE, options=6)
SMP = SampledChecks.at(ONE, options=4, asked=1)
TWO_BOXES = SampledChecks.at(ONE, options=3, asked=2)
SET = PrivateSet.at(ONE, options=5, at_most=2, size=2)
RT = RandomThreshold.at(ONE, top=4)
ISW = SlidingWindow.at(ONE, top=5, width=3)
SILENT = SlidingWindow.at(ONE, top=5, width=3, silent=2)
ALL: list[TwoLevel] = [RR, SS, HR, SMP, TWO_BOXES, SET, RT, ISW, SILENT]

# Where the bug is, and how the mechanism is run with it; by what the sampler does.
Bug = tuple[TwoLevel, Sampler]
# Counting catches these.
PLAIN: dict[str, Bug] = {}
# Too small for counting, or outside the event that is counted; the exact channel catches them.
SUBTLE: dict[str, Bug] = {}


def planted(
    mechanism: TwoLevel, where: dict[str, Bug] = PLAIN
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def keep(sampler: Callable[..., Any]) -> Callable[..., Any]:
        where[sampler.__name__.replace("_", " ")] = (mechanism, sampler)
        return sampler

    return keep


@planted(RR)
def keeps_with_one_half_plus_alpha(answer: int, words: Words) -> int:
    return answer if bern(words, 4132261725) else 1 - answer


@planted(RR)
def never_flips_a_no(answer: int, words: Words) -> int:
    return answer and RR.randomize(answer, words)


@planted(SS)
def keeps_the_truth_a_second_time(answer: int, words: Words) -> list[int]:
    report = SS.randomize(answer, words)
    if answer not in report and below(words, 2):
        report = sorted([answer, *report[1:]])
    return report


@planted(SS)
def draws_the_far_set_from_all_options(answer: int, words: Words) -> list[int]:
    if bern(words, SS.threshold):
        others = subset(words, SS.options - 1, SS.size - 1)
        return sorted([answer, *(other + (other >= answer) for other in others)])
    return subset(words, SS.options, SS.size)


@planted(SS)
def does_not_step_over_the_truth(answer: int, words: Words) -> list[int]:
    keep = bern(words, SS.threshold)
    others = subset(words, SS.options - 1, SS.size - keep)
    return sorted([*others, answer] if keep else others)


@planted(SS)
def takes_the_threshold_of_size_three(answer: int, words: Words) -> list[int]:
    wide = SubsetSelection.at(ONE, options=6, size=3).threshold
    return replace(SS, threshold=wide).randomize(answer, words)


@planted(HR)
def takes_the_wrong_half(answer: int, words: Words) -> int:
    row, column = answer + 1, HR.randomize(answer, words)
    return column ^ (row & -row)


@planted(HR)
def flips_a_bit_that_the_row_does_not_look_at(answer: int, words: Words) -> int:
    row = answer + 1
    keep, column = bern(words, HR.threshold), below(words, HR.columns)
    odd = (column & row).bit_count() % 2 == 1
    return column ^ 1 if odd == keep else column


@planted(HR)
def forgets_that_row_zero_says_nothing(answer: int, words: Words) -> int:
    keep, column = bern(words, HR.threshold), below(words, HR.columns)
    odd = (column & answer).bit_count() % 2 == 1
    return column ^ (answer & -answer) if odd == keep else column


@planted(TWO_BOXES)
def charges_two_boxes_for_one(answer: list[int], words: Words) -> list[list[int]]:
    return replace(TWO_BOXES, threshold=SMP.threshold).randomize(answer, words)


@planted(SMP)
def prefers_a_ticked_box(answer: list[int], words: Words) -> list[list[int]]:
    box = answer[0] if answer and below(words, 2) else below(words, SMP.options)
    return SMP.randomize_assigned(answer, words, [box])


@planted(SMP)
def sends_only_ticked_boxes(answer: list[int], words: Words) -> list[list[int]]:
    return [pair for pair in SMP.randomize(answer, words) if pair[1]]


@planted(SET)
def pads_only_where_nothing_is_ticked(answer: list[int], words: Words) -> list[int]:
    if not answer or not bern(words, SET.threshold):
        return SET.randomize(answer, words)
    while True:
        report = subset(words, SET.items, SET.size)
        if set(answer) & set(report):
            return report


@planted(SET)
def takes_a_near_set_that_misses(answer: list[int], words: Words) -> list[int]:
    if bern(words, SET.threshold):
        return subset(words, SET.items, SET.size)
    return replace(SET, threshold=0).randomize(answer, words)


@planted(RT)
def counts_limits_from_zero(answer: int, words: Words) -> list[int]:
    limit, bit = RT.randomize(answer, words)
    return [limit - 1, bit]


@planted(RT)
def asks_above_instead_of_at_least(answer: int, words: Words) -> list[int]:
    limit = 1 + below(words, RT.top)
    return [limit, RT.flip(int(answer > limit), words)]


@planted(SILENT)
def slides_the_window_on_past_the_top(answer: int, words: Words) -> int:
    if answer > SILENT.top and bern(words, SILENT.threshold):
        return answer + below(words, SILENT.near)
    return SILENT.randomize(answer, words)


@planted(SILENT)
def never_swaps_silence(answer: int, words: Words) -> int:
    if answer > SILENT.top:
        return SILENT.start(answer) + below(words, SILENT.near)
    return SILENT.randomize(answer, words)


@planted(ISW)
def draws_the_far_number_from_everywhere(answer: int, words: Words) -> int:
    if bern(words, ISW.threshold):
        return answer + below(words, ISW.width + 1)
    return below(words, ISW.cells)


@planted(ISW)
def centres_the_window(answer: int, words: Words) -> int:
    return max(0, ISW.randomize(answer, words) - ISW.width // 2)


@planted(SS, SUBTLE)
def takes_a_remainder_without_drawing_again(answer: int, words: Words) -> list[int]:
    keep = bern(words, SS.threshold)
    picked: set[int] = set()
    for j in range(SS.options - 1 - (SS.size - keep), SS.options - 1):
        candidate = words.word() % (j + 1)
        picked.add(j if candidate in picked else candidate)
    others = [other + (other >= answer) for other in picked]
    return sorted([*others, answer] if keep else others)


@planted(ISW, SUBTLE)
def draws_from_a_window_too_narrow_by_one(answer: int, words: Words) -> int:
    if bern(words, ISW.threshold):
        return answer + below(words, ISW.width)
    outside = below(words, ISW.top)
    return outside if outside < answer else outside + ISW.width + 1


@planted(SET, SUBTLE)
def never_sends_the_last_blank(answer: list[int], words: Words) -> list[int]:
    padded = {*answer, *range(SET.options, SET.items - len(answer))}
    if not bern(words, SET.threshold):
        outside = [item for item in range(SET.items) if item not in padded]
        return [outside[i] for i in subset(words, SET.options, SET.size)]
    while True:
        report = subset(words, SET.items - 1, SET.size)
        if padded & set(report):
            return report
