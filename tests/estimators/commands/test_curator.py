"""`candor curator`: releases of a trusted curator, with bounds that hold and nothing else told."""

import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

from client.core.survey import Survey
from estimators.commands.curator import curator
from estimators.commands.curator_options import survey_of
from estimators.curator.answers import Answers, simulate_answers
from estimators.curator.local import LocalSurvey
from estimators.curator.neighbours import Neighbours
from estimators.curator.release import release_histogram, release_mean, release_price, release_top
from estimators.curator.selection import Auction
from estimators.simulation.people.shares import even_shares
from tests.support.figures import complaint, figures, run

COMMANDS = list(curator.commands.values())
ADD, REPLACE = Neighbours.ADD_OR_REMOVE_ONE, Neighbours.REPLACE_ONE
# Of 400 samples; a bound that keeps its promise fails a test for one seed in a million.
SAMPLES = 400
FALSE_ALARM = 1e-6


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command.name))
def test_help_explains_every_option_with_examples_that_name_real_ones(
    command: click.Command,
) -> None:
    result = CliRunner().invoke(curator, [str(command.name), "--help"])
    example = re.search(r"Examples:\n(.*?)\n\n", result.output, re.DOTALL)
    assert example is not None
    known = {name for parameter in command.params for name in parameter.opts}
    assert set(re.findall(r"--[a-z-]+", example[1])) <= known
    assert {"--json", "--seed", "--epsilon", "--simulate"} <= known
    for parameter in command.params:
        assert not isinstance(parameter, click.Option) or parameter.help


def answers_file(folder: Path, cells: list[str], heading: str = "drink") -> Path:
    path = folder / f"{heading}-{len(list(folder.iterdir()))}.csv"
    path.write_text("\n".join([heading, *cells]) + "\n")
    return path


DRINKS = ("--options", "Tea,Coffee,Milk")
REHEARSED = [
    ("count", "--simulate", 1000, "--shares", "0.7,0.3"),
    ("histogram", "--simulate", 1000, "--options", 9, "--zipf", 1),
    ("top", "--simulate", 1000, "--shares", "0.5,0.3,0.2"),
    ("top", "--simulate", 1000, "--shares", "0.5,0.3,0.2", "--exponential"),
    ("mean", "--simulate", 1000, "--hi", 100),
    ("price", "--simulate", 1000, "--prices", "1,2,5"),
    ("price", "--bids", "1,1,1,3.01", "--prices", "1,2,3.01"),
]


@pytest.mark.parametrize(
    "arguments", REHEARSED, ids=lambda arguments: " ".join(map(str, arguments))
)
def test_the_same_seed_gives_the_same_figures_which_are_not_to_be_published(
    arguments: tuple[object, ...],
) -> None:
    one, again, *others = (
        figures("curator", *arguments, "--epsilon", "0.05", "--seed", seed)
        for seed in (5, 5, 6, 7, 8)
    )
    assert one == again
    assert one["seed"] == 5
    assert any(one != other | {"seed": 5} for other in others)
    assert not one["publishable"]
    text = run("curator", *arguments, "--epsilon", "0.05", "--seed", 5).stdout
    assert "seed 5" in text
    assert "secure" not in text


def test_a_file_and_a_seed_are_a_rehearsal_and_say_so(tmp_path: Path) -> None:
    path = answers_file(tmp_path, ["Yes", "No", "Yes"])
    text = run("curator", "count", path, "--epsilon", 1, "--seed", 1).stdout
    assert "Rehearsal with seed 1: do not publish it." in text
    assert "exact and secure" in run("curator", "count", path, "--epsilon", 1).stdout


def test_a_file_is_counted(tmp_path: Path) -> None:
    """At epsilon 10 this seed adds no noise, as all but one in ten thousand."""
    path = tmp_path / "two.csv"
    path.write_text("id,likes\n1,Tea;Milk\n2,Tea\n3,\n4,Coffee;Tea\n")
    common = ("--column", "likes", "--epsilon", "10", "--seed", 1)
    one = figures("curator", "count", path, "--value", "Tea", *common)
    assert [(row["label"], row["release"]) for row in one["figures"]] == [("Tea", 3)]
    two = figures("curator", "count", path, "--value", "Milk", "--value", "Coffee", *common)
    # A person may be in both: the noise is twice that of one count.
    assert two["scale"] == 2 * one["scale"]
    assert [row["truth"] for row in two["figures"]] == [1, 1]
    boxes = figures("curator", "histogram", path, *DRINKS, "--at-most", 2, *common)
    assert [row["truth"] for row in boxes["figures"]] == [3, 1, 1]
    top = figures("curator", "top", path, *DRINKS, "--at-most", 2, *common)
    assert top["release"] == "Tea"


def test_numbers_and_bids_are_read_exactly(tmp_path: Path) -> None:
    ages = answers_file(tmp_path, ["18", "20.5", "99"], "age")
    mean = figures(
        *("curator", "mean", ages, "--lo", 18, "--hi", 99, "--step", 0.5),
        *("--epsilon", "10", "--seed", 1),
    )
    assert mean["truth"] == pytest.approx((18 + 20.5 + 99) / 3)
    bids = answers_file(tmp_path, ["1", "1", "1", "3.01"], "bid")
    sold = figures(
        *("curator", "price", bids, "--prices", "1,3.01,3.02", "--epsilon", "1", "--seed", 1)
    )
    assert [row["revenue"] for row in sold["figures"]] == [4, 3.01, 0]


def test_a_release_differs_from_the_truth_and_from_the_next_one(tmp_path: Path) -> None:
    """At this epsilon 40 releases all hit the truth with a chance below 10^-90."""
    cells = [str(number) for number in range(1, 41)]
    path = answers_file(tmp_path, cells)
    one, another = (
        figures("curator", "histogram", path, "--options", 40, "--epsilon", "0.01") for _ in "ab"
    )
    released = [[row["release"] for row in found["figures"]] for found in (one, another)]
    assert released[0] != released[1]
    assert all(counts != [1] * 40 for counts in released)
    assert one["publishable"]


# All that may follow from the noisy release, and from nothing else.
RELEASED = {"release", "figures", "price_of_distrust", "curator_respondents"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("count", "--value", "Tea"),
        ("count", "--value", "Tea", "--value", "Milk", "--delta", "1e-6"),
        ("histogram", *DRINKS),
        ("top", *DRINKS),
        ("top", *DRINKS, "--exponential"),
    ],
    ids=" ".join,
)
def test_a_real_release_tells_nothing_of_the_answers_but_through_its_noise(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    files = [answers_file(tmp_path, cells) for cells in (["Tea"] * 60, ["Milk"] * 59 + ["Coffee"])]
    one, other = (
        figures("curator", arguments[0], path, *arguments[1:], "--epsilon", "1") for path in files
    )
    for found in (one, other):
        for row in found.get("figures", []):
            assert row.keys() == {"label", "release", "price_of_distrust"}
    assert {key: one[key] for key in one.keys() - RELEASED} == {
        key: other[key] for key in other.keys() - RELEASED
    }


def test_real_means_and_prices_tell_nothing_of_the_answers_either(tmp_path: Path) -> None:
    for command, more in (("mean", ("--hi", 9)), ("price", ("--prices", "1,5,9"))):
        files = [answers_file(tmp_path, cells, "n") for cells in (["0"] * 50, ["9"] * 50)]
        one, other = (figures("curator", command, path, *more, "--epsilon", 1) for path in files)
        assert one | {"release": 0} == other | {"release": 0}
        assert "truth" not in one
        assert "figures" not in one


@pytest.mark.parametrize("command", ["histogram", "top"])
def test_who_takes_part_is_private_when_a_person_may_be_added(command: str, tmp_path: Path) -> None:
    """Of two files of 60 and 61 people, nothing but the noisy release may tell them apart."""
    found = []
    for people in (60, 61):
        path = answers_file(tmp_path, ["Tea"] * people)
        arguments = ("curator", command, path, *DRINKS, "--epsilon", 1)
        given = figures(*arguments, "--neighbours", "add-or-remove")
        assert given["respondents"] is None
        assert figures(*arguments)["respondents"] == people
        if command == "histogram":
            released = sum(row["release"] for row in given["figures"])
            assert given["local"]["respondents"] == max(1, released)
        else:
            assert given["local"] is None
        found.append({key: given[key] for key in given.keys() - RELEASED - {"local"}})
    assert found[0] == found[1]


BOTH = ("replace", "add-or-remove")


@pytest.mark.parametrize(
    ("options", "scales"),
    [
        (("--options", 5), (2, 1)),
        (("--options", 2), (1, 1)),  # One count says both.
        (("--options", 5, "--at-most", 2), (4, 2)),
        (("--options", 3, "--at-most", 2), (3, 2)),
    ],
    ids=str,
)
def test_a_histogram_has_noise_for_the_farthest_neighbours(
    options: tuple[object, ...], scales: tuple[int, int]
) -> None:
    common = ("curator", "histogram", "--simulate", 100, *options, "--epsilon", 1, "--seed", 1)
    replaced, added = (figures(*common, "--neighbours", name) for name in BOTH)
    assert (replaced["scale"], added["scale"]) == scales
    assert replaced["neighbours"] == "one person's answer is replaced"
    assert added["neighbours"] == "one person is added or removed"


@pytest.mark.parametrize(
    ("options", "bounds"),
    [
        # ln(5/0.05) with rate 1/2, then 1.
        (("--exponential",), (2 * math.log(100), math.log(100))),
        # Twice the least b with 5 * 2q^(b+1)/(1+q) <= 0.05: 9.65 and 4.99 rounded up, less 1.
        ((), (2 * 9, 2 * 4)),
    ],
    ids=["exponential", "noisy-max"],
)
@pytest.mark.parametrize("at_most", [(), ("--at-most", 3)], ids=["one", "several"])
def test_the_most_common_takes_twice_the_noise_where_a_person_is_replaced(
    options: tuple[str, ...], bounds: tuple[float, float], at_most: tuple[object, ...]
) -> None:
    """However many answers a person gives: each count moves by one."""
    common = ("curator", "top", "--simulate", 100, "--options", 5, *at_most, *options)
    found = [
        figures(*common, "--epsilon", 1, "--seed", 1, "--neighbours", name)["shortfall_bound"]
        for name in BOTH
    ]
    assert found == pytest.approx(bounds)


def test_a_mean_and_a_price_have_noise_for_the_whole_range() -> None:
    common = ("--simulate", 50, "--epsilon", "0.5", "--seed", 1)
    mean = figures("curator", "mean", "--lo", 10, "--hi", 30, "--step", 0.5, *common)
    assert mean["scale"] == pytest.approx((30 - 10) / 0.5 / 50)
    price = figures("curator", "price", "--prices", "1,2,3.01", *common)
    assert price["shortfall_bound"] == pytest.approx(3.01 / 0.5 * math.log(3 / 0.05))


def simulated(survey: Survey, n: int, shares: tuple[float, ...] | None = None) -> list[Answers]:
    usual = shares or even_shares(survey.questions[0].domain)
    return [simulate_answers(survey, usual, n, seed) for seed in range(SAMPLES)]


def assert_held(held: list[bool], confidence: float) -> None:
    assert stats.binomtest(sum(held), len(held), confidence, "less").pvalue > FALSE_ALARM


@pytest.mark.parametrize("neighbours", Neighbours)
def test_both_bounds_of_a_histogram_hold_as_often_as_stated(neighbours: Neighbours) -> None:
    central, local = [], []
    for answers in simulated(survey_of("one_of", "1", options=list("abcdef")), 200):
        found = release_histogram(answers, neighbours, 0.8)
        rows = found["figures"]
        central.append(
            max(abs(row["release"] - row["truth"]) for row in rows) <= found["error_bound"]
        )
        local.append(
            max(abs(row["local"] - row["truth"]) for row in rows) <= found["local"]["error_bound"]
        )
    assert_held(central, 0.8)
    assert_held(local, 0.8)
    assert sum(central) < SAMPLES


@pytest.mark.parametrize("boxes", [{"at_most": 4}, {"at_most": 2}])
def test_the_local_bound_of_boxes_holds_as_often_as_stated(boxes: dict[str, int]) -> None:
    held = []
    for answers in simulated(survey_of("any_of", "1", options=list("abcd"), **boxes), 200):
        found = release_histogram(answers, REPLACE, 0.8)
        errors = [abs(row["local"] - row["truth"]) for row in found["figures"]]
        held.append(max(errors) <= found["local"]["error_bound"])
    assert_held(held, 0.8)


@pytest.mark.parametrize("exponential", [False, True])
def test_the_most_common_falls_short_by_more_than_its_bound_as_rarely_as_stated(
    exponential: bool,
) -> None:
    survey = survey_of("one_of", "0.2", options=list("abcdef"))
    central, local = [], []
    for answers in simulated(survey, 100, (0.5, 0.3, 0.2, 0.0, 0.0, 0.0)):
        found = release_top(answers, REPLACE, 0.8, exponential)
        central.append(found["shortfall"] <= found["shortfall_bound"])
        guess = "abcdef".index(found["local"]["estimate"])
        short = max(answers.counts) - answers.counts[guess]
        local.append(short <= found["local"]["error_bound"])
    assert_held(central, 0.8)
    assert_held(local, 0.8)


def test_the_bound_of_the_mean_and_the_local_margin_hold_as_often_as_stated() -> None:
    survey = survey_of("number", "1", lo="0", hi="20", step="1", goal="mean")
    central, local, planned = [], [], []
    for answers in simulated(survey, 300):
        found = release_mean(answers, 0.8)
        central.append(abs(found["release"] - found["truth"]) <= found["error_bound"])
        off = abs(found["local"]["estimate"] - found["truth"])
        local.append(off <= found["local"]["error_bound"])
        planned.append(off <= LocalSurvey(answers.question, answers.n).mean_error(0.8))
    for held in (central, local, planned):
        assert_held(held, 0.8)
        assert sum(held) < SAMPLES


def test_revenues_fall_short_by_more_than_their_bounds_as_rarely_as_stated() -> None:
    prices = (1, 2, 4, 8)
    auction = Auction(tuple(map(Fraction, prices)))
    survey = survey_of("one_of", "1", options=["less", *map(str, prices)])
    central: list[bool] = []
    local: list[bool] = []
    for answers in simulated(survey, 60):
        revenues = [float(revenue) for revenue in auction.revenues(answers.counts)]
        found = release_price(answers, auction, 0.8)
        best = max(revenues)
        for price, bound, held in (
            (found["release"], found["shortfall_bound"], central),
            (found["local"]["estimate"], found["local"]["error_bound"], local),
        ):
            held.append(best - revenues[prices.index(int(price))] <= bound)
    assert_held(central, 0.8)
    assert_held(local, 0.8)


@pytest.mark.parametrize("epsilon", ["0.5", "3"])
def test_every_local_revenue_is_within_its_bound_as_often_as_stated(epsilon: str) -> None:
    """What the local price rests on, with reports that hold one option and several."""
    prices = np.array([1.0, 2.0, 4.0, 8.0])
    survey = survey_of("one_of", epsilon, options=["less", "1", "2", "4", "8"])
    held = []
    for answers in simulated(survey, 60):
        local = LocalSurvey(answers.question, answers.n, answers.local)
        assert local.totals is not None
        true, estimated = (
            prices * np.cumsum(np.asarray(counts, dtype=float)[:0:-1])[::-1]
            for counts in (answers.counts, local.totals)
        )
        held.append(bool(np.abs(true - estimated).max() <= local.largest_tail_error(prices, 0.8)))
    assert_held(held, 0.8)


def test_10_000_names_are_within_122_and_locally_far_from_it() -> None:
    found = figures(
        *("curator", "histogram", "--simulate", "1e6", "--options", 10_000, "--zipf", 1),
        *("--neighbours", "add-or-remove", "--epsilon", "0.1", "--seed", 1),
    )
    assert found["error_bound"] == 122
    assert max(abs(row["release"] - row["truth"]) for row in found["figures"]) <= 122
    assert found["local"]["times_the_curators"] > 800
    assert found["price_of_distrust"] > 1000


def test_the_options_can_come_from_a_survey(tmp_path: Path) -> None:
    path = tmp_path / "survey.yaml"
    path.write_text(
        "slug: s\ntitle: S\nquestions:\n"
        "  - {id: one, kind: one_of, prompt: One, epsilon: 1, options: [Tea, Milk]}\n"
        "  - {id: some, kind: any_of, prompt: Some, epsilon: 1, options: [A, B, C], at_most: 2}\n"
    )
    common = ("curator", "histogram", "--simulate", 50, "--epsilon", 1, "--survey", path)
    found = figures(*common, "--question", "some", "--seed", 1)
    assert [row["label"] for row in found["figures"]] == ["A", "B", "C"]
    assert found["scale"] == 3
    assert "choose one with --question" in complaint(*common)
    assert "has no question 'none'" in complaint(*common, "--question", "none")
    assert "either --options or a --survey" in complaint(*common, "--options", "A,B")


def test_a_box_that_nobody_was_asked_about_has_no_local_bound() -> None:
    """One person is asked about one of four boxes."""
    common = ("count", "--simulate", 1, *(part for box in "abcd" for part in ("--value", box)))
    found = figures("curator", *common, "--epsilon", 1, "--seed", 1)
    assert found["local"]["error_bound"] is None
    assert [row["local"] for row in found["figures"]].count(None) == 3
    text = run("curator", *common, "--epsilon", 1, "--seed", 1).stdout
    assert "1 person: off by at most 1, once it is cut to 0 to 1 in the worst case." in text


def test_a_printed_bound_is_never_rounded_down() -> None:
    found = figures("curator", "count", "--simulate", 1000, "--epsilon", 1, "--seed", 1)
    text = run("curator", "count", "--simulate", 1000, "--epsilon", 1, "--seed", 1).stdout
    (printed,) = re.findall(r"people: off by at most (\d+)", text)
    # 92.94 as a float; 93 in print.
    assert found["local"]["error_bound"] <= int(printed) < found["local"]["error_bound"] + 1


def test_gaussian_noise_is_told_of_for_planning() -> None:
    common = ("count", "--simulate", 100, "--epsilon", 1, "--seed", 1)
    text = run("curator", *common, "--delta", "1e-6").stdout
    assert "Gaussian noise would be off by at most 8.3" in text
    assert "delta must be between 0 and 1" in complaint("curator", *common, "--delta", 1)


BAD: list[tuple[tuple[Any, ...], str]] = [
    (("count",), "Missing option '--epsilon'"),
    (("count", "--epsilon", 1), "give either a FILE of answers or --simulate"),
    (("count", "--epsilon", 0, "--simulate", 5), "epsilon must be between 0.01 and 10"),
    (("count", "--epsilon", 1, "--simulate", 0), "respondents must be an integer from 1"),
    (("count", "--epsilon", 1, "--simulate", 5, "--seed", -1), "seed must be an integer"),
    (("count", "--epsilon", 1, "--simulate", 5, "--shares", "0.5,0.6"), "must sum to 1"),
    (("count", "--epsilon", 1, "--simulate", 5, "--confidence", 1), "confidence must be"),
    (("count", "--epsilon", 1, "--simulate", 5, "--column", "a"), "--column is for a FILE"),
    (("count", "no.csv", "--epsilon", 1), "no.csv cannot be read"),
    (("count", "no.csv", "--epsilon", 1, "--zipf", 1), "--shares and --zipf are for --simulate"),
    (("histogram", "--simulate", 5, "--epsilon", 1), "give --options"),
    (("histogram", "--simulate", 5, "--options", 1, "--epsilon", 1), "options"),
    (("mean", "--simulate", 5, "--lo", 5, "--hi", 1, "--epsilon", 1), "hi"),
    (("price", "--bids", "1,x", "--prices", "1", "--epsilon", 1), "a bid must be a plain decimal"),
    (("price", "--bids", "1", "--prices", "2,1", "--epsilon", 1), "prices must be above 0"),
    (
        ("price", "--bids", "1", "--prices", "10000.01,10000.005", "--epsilon", 1),
        "10000.01, 10000.005",
    ),
    (("count", "--simulate", 5, "--value", "a;b", "--epsilon", 1), "must not contain ;"),
    (
        ("count", "--simulate", 5, "--shares", "0.5,0.5", "--zipf", 1, "--epsilon", 1),
        "give either --shares or --zipf",
    ),
    (
        ("top", "--simulate", 5, "--options", 3, "--question", "q", "--epsilon", 1),
        "--question is for a --survey",
    ),
    (("price", "--prices", "2", "--epsilon", 1), "a FILE of bids, --bids or --simulate"),
]


@pytest.mark.parametrize(("arguments", "sentence"), BAD, ids=str)
def test_bad_input_is_one_line_and_exit_code_2(arguments: tuple[Any, ...], sentence: str) -> None:
    assert sentence in complaint("curator", *arguments)


@pytest.mark.parametrize(
    ("content", "column", "sentence"),
    [
        (b"", None, "has 0 columns"),
        (b"a,b\n1,2\n", None, "has 2 columns (a, b); choose one with --column"),
        (b"a,b\n1,2\n", "c", "must have exactly one column 'c'"),
        (b"a,a\n1,2\n", "a", "but has 2"),
        (b"a,b\n1\n", "a", "line 2: a row must have 2 cells, got 1"),
        (b"a\n", None, "there are no answers to count"),
        (b"a\n\xff\n", None, "is not a CSV file in UTF-8: invalid start byte"),
        (b"a;b\nTea;1\n", "a", "has a heading with semicolons and no comma"),
    ],
)
def test_a_file_that_cannot_be_counted_is_refused_with_its_place(
    content: bytes, column: str | None, sentence: str, tmp_path: Path
) -> None:
    path = tmp_path / "answers.csv"
    path.write_bytes(content)
    named = () if column is None else ("--column", column)
    assert sentence in complaint("curator", "histogram", path, *DRINKS, *named, "--epsilon", 1)
