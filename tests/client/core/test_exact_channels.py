"""The complete channel of every mechanism, enumerated by walking the shipped samplers."""

import json
import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from scipy import stats

from client.core.assignment import Assignment, TicketWords, draw_assignment
from client.core.mechanisms import (
    MECHANISMS,
    HadamardResponse,
    PrivateSet,
    RandomizedResponse,
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    SubsetSelection,
    Supporting,
    TwoLevel,
)
from client.core.primitives.domain import Checks, Choice
from client.core.primitives.words import WORD_RANGE
from client.core.report import Report
from client.core.respond import respond
from client.core.survey import Survey
from tests.support.exact_channel import (
    Channel,
    answers_of,
    at_most_exp,
    channel_of,
    exact_channel,
    largest_ratio,
)
from tests.support.surveys import one_of, sampled_boxes, survey_of, yes_no

# A correct sampler fails once in so many runs of this file, over all of its tests.
FALSE_ALARM = 1e-6
EPSILONS = ["0.1", "1", "4.41481"]
SHAPES: list[tuple[type[TwoLevel], dict[str, int]]] = [
    (RandomizedResponse, {}),
    *((SubsetSelection, {"options": k, "size": w}) for k, w in [(2, 1), (3, 1), (4, 3), (6, 2)]),
    *((HadamardResponse, {"options": k}) for k in [2, 3, 4, 7]),
    *((SampledChecks, {"options": d, "asked": s}) for d, s in [(1, 1), (3, 1), (3, 2), (3, 3)]),
    *(
        (PrivateSet, {"options": d, "at_most": m, "size": w})
        for d, m, w in [(2, 1, 1), (3, 2, 2), (4, 2, 1), (4, 2, 3), (3, 3, 2), (3, 1, 3)]
    ),
    *((RandomThreshold, {"top": top}) for top in [1, 2, 5]),
    *((SlidingWindow, {"top": m, "width": w}) for m, w in [(1, 0), (1, 1), (4, 0), (5, 3), (5, 5)]),
    *(
        (SlidingWindow, {"top": m, "width": w, "silent": s})
        for m, w, s in [(1, 0, 1), (1, 1, 2), (4, 0, 2), (5, 3, 1), (5, 5, 2)]
    ),
]
CASES = [
    pytest.param(
        shape[0].at(Decimal(eps), **shape[1]),
        Decimal(eps),
        id=f"{shape[0].name}-{'-'.join(map(str, shape[1].values()))}-{eps}",
    )
    for shape in SHAPES
    for eps in EPSILONS
]


def cases_of(*kinds: Any) -> list[Any]:
    return [case for case in CASES if isinstance(case.values[0], kinds)]


every_case = pytest.mark.parametrize(("mechanism", "epsilon"), CASES)


@cache
def channels_of(mechanism: TwoLevel) -> list[Channel]:
    return [channel_of(mechanism, answer) for answer in answers_of(mechanism.domain)]


def test_every_mechanism_is_walked() -> None:
    assert {mechanism.name for mechanism, _ in SHAPES} == set(MECHANISMS)


@every_case
def test_every_row_sums_to_one_and_every_report_is_one_that_check_accepts(
    mechanism: TwoLevel, epsilon: Decimal
) -> None:
    longest = len(json.dumps(mechanism.longest))
    for channel in channels_of(mechanism):
        assert sum(channel.values()) == 1
        for text in channel:
            report = json.loads(text)
            mechanism.check(report, "report")
            cells = mechanism.cells_of(report)
            assert len(set(cells)) == len(cells) == mechanism.marks
            assert all(0 <= cell < mechanism.cells for cell in cells)
            assert len(text) <= longest


@every_case
def test_no_ratio_is_above_e_to_the_epsilon_and_one_more_on_the_threshold_is(
    mechanism: TwoLevel, epsilon: Decimal
) -> None:
    assert at_most_exp(largest_ratio(channels_of(mechanism)), epsilon)
    leaky = replace(mechanism, threshold=mechanism.threshold + 1)
    assert not at_most_exp(largest_ratio(channels_of(leaky)), epsilon)


@every_case
def test_the_largest_ratio_is_the_delivered_epsilon(mechanism: TwoLevel, epsilon: Decimal) -> None:
    ratio = largest_ratio(channels_of(mechanism))
    leak = math.log(ratio.numerator) - math.log(ratio.denominator)
    assert leak == pytest.approx(mechanism.delivered_epsilon, abs=1e-12)
    assert mechanism.delivered_epsilon <= epsilon


@every_case
def test_a_report_has_one_of_two_probabilities_per_draw(
    mechanism: TwoLevel, epsilon: Decimal
) -> None:
    """Near and far reports, in the ratio of set sizes that the threshold was made for (0.1)."""
    near = mechanism.keep * (mechanism.near + mechanism.far) / mechanism.near
    far = (1 - mechanism.keep) * (mechanism.near + mechanism.far) / mechanism.far
    draws = range(mechanism.draws + 1)
    for channel in channels_of(mechanism):
        count = len(channel)
        allowed = {near**d * far ** (mechanism.draws - d) / count for d in draws}
        assert set(channel.values()) == allowed


@pytest.mark.parametrize(("mechanism", "epsilon"), cases_of(Supporting))
def test_a_true_option_is_supported_with_chance_p_and_another_with_chance_q(
    mechanism: Supporting, epsilon: Decimal
) -> None:
    for answer in answers_of(mechanism.domain):
        channel = channel_of(mechanism, answer)
        for about in abouts(mechanism):
            chance = conditional_support(mechanism, channel, about)
            assert chance == (mechanism.p if is_true(mechanism, answer, about) else mechanism.q)


def abouts(mechanism: TwoLevel) -> range:
    """Return what a report can support: options, boxes, or that a level is reached."""
    if isinstance(mechanism, RandomThreshold):
        return range(1, mechanism.top + 1)
    assert isinstance(mechanism.domain, Choice | Checks)
    return range(mechanism.domain.options)


def is_true(mechanism: TwoLevel, answer: Any, about: int) -> bool:
    if isinstance(mechanism, RandomThreshold):
        return bool(answer >= about)
    return about in answer if isinstance(answer, list) else answer == about


def conditional_support(mechanism: TwoLevel, channel: Channel, about: int) -> Fraction:
    """Return P(the report supports it) among the reports that say anything about it."""
    verdicts = {text: supports(mechanism, json.loads(text), about) for text in channel}
    heard = sum(channel[text] for text, verdict in verdicts.items() if verdict is not None)
    return Fraction(sum(channel[text] for text, verdict in verdicts.items() if verdict)) / heard


def supports(mechanism: TwoLevel, report: Any, about: int) -> bool | None:
    match mechanism:
        case RandomizedResponse():
            return bool(report == about)
        case HadamardResponse():
            return ((about + 1) & int(report)).bit_count() % 2 == 0
        case SampledChecks():
            return {box: bool(bit) for box, bit in report}.get(about)
        case RandomThreshold():
            return bool(report[1]) if report[0] == about else None
    return about in report


@pytest.mark.parametrize(("mechanism", "epsilon"), cases_of(RandomThreshold, SampledChecks))
def test_what_a_report_is_about_does_not_depend_on_the_answer(
    mechanism: TwoLevel, epsilon: Decimal
) -> None:
    for channel in channels_of(mechanism):
        about: dict[str, Fraction] = {}
        for text, probability in channel.items():
            report = json.loads(text)
            index = report[0] if isinstance(mechanism, RandomThreshold) else [b for b, _ in report]
            about[str(index)] = about.get(str(index), Fraction(0)) + probability
        assert set(about.values()) == {Fraction(1, len(about))}


@pytest.mark.parametrize(
    "survey",
    [
        survey_of(yes_no("a", "1"), one_of("b", 3, "0.5"), sampled_boxes("c", 2, 1, "2")),
        survey_of(yes_no("a", "1"), one_of("b", 3, "0.5"), yes_no("c", "2"), ask_each_person=2),
        survey_of(
            *(yes_no("a", "0.7"), sampled_boxes("b", 3, 2, "0.7"), one_of("c", 3, "0.7")),
            ask_each_person=1,
        ),
    ],
    ids=["all", "two of three", "one of three"],
)
def test_a_whole_report_spends_no_more_than_the_total(survey: Survey) -> None:
    """Whatever the ticket asks about: each assignment that there is, with the ticket known."""
    assigned = {str(each): each for each in (draw_assignment(survey, f"t{i}") for i in range(200))}
    ratios = [largest_ratio(_report_channels(survey, each)) for each in assigned.values()]
    assert len(ratios) > 1
    assert all(at_most_exp(ratio, survey.total_epsilon) for ratio in ratios)
    # The budget is used fully: nobody pays for a question that could not be asked.
    assert not at_most_exp(max(ratios), survey.total_epsilon * Decimal("0.999"))


def _report_channels(survey: Survey, assignment: Assignment) -> list[Channel]:
    """Return the exact distribution of the whole report for all possible answers."""
    channels = []
    for answers in product(*(answers_of(question.domain) for question in survey.questions)):
        given = dict(zip([question.id for question in survey.questions], answers, strict=True))

        def sample(walk: Any, given: dict[str, Any] = given) -> Any:
            report = respond(survey, assignment, given, walk)
            assert len(report.wire(survey)) == survey.report_bytes
            assert Report.parse(report.wire(survey), survey) == report
            return report.randomized

        coins = [question.mechanism.threshold for question in survey.questions]
        channels.append(exact_channel(sample, coins))
    assert all(sum(channel.values()) == 1 for channel in channels)
    return channels


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: f"{s[0].name}-{list(s[1].values())}")
def test_the_shipped_samplers_follow_their_channel_on_a_fixed_tape(
    shape: tuple[type[TwoLevel], dict[str, int]],
) -> None:
    mechanism = shape[0].at(Decimal(1), **shape[1])
    for answer in answers_of(mechanism.domain):
        channel = channel_of(mechanism, answer)
        tape = TicketWords("tape", f"{mechanism}{answer}")
        runs = 200 * len(channel)
        counts = dict.fromkeys(channel, 0)
        for _ in range(runs):
            counts[json.dumps(mechanism.randomize(answer, tape))] += 1
        expected = [float(runs * channel[text]) for text in channel]
        assert stats.chisquare(list(counts.values()), expected).pvalue > FALSE_ALARM


def test_the_walk_counts_words_one_by_one() -> None:
    """A biased sampler is not taken for a fair one: 2^32 is one more than a multiple of three."""
    biased = exact_channel(lambda walk: walk.word() % 3, coins=[])
    assert biased == {
        "0": Fraction(1431655766, WORD_RANGE),
        "1": Fraction(1431655765, WORD_RANGE),
        "2": Fraction(1431655765, WORD_RANGE),
    }
