"""`candor estimate`: counts become estimates, bad input gives one clear line."""

import json
import math
from pathlib import Path

import pytest

from estimators.commands.analysis.estimate_printing import print_estimates
from estimators.tables.level_rows import QUANTILES
from tests.support.figures import complaint, figures, run

COUNTS = ("estimate", "--mechanism", "rr", "--epsilon", "1", "--counts")


def test_counts_become_figures() -> None:
    answer = figures(*COUNTS, "569,431")
    assert (answer["mechanism"], answer["epsilon"], answer["n"]) == ("rr", "1", 1000)
    assert answer["threshold"] == 3139872686
    no, yes = answer["estimates"]
    # (431 - 1000 q) / (p - q) with p = T / 2^32
    assert yes["total"] == pytest.approx(350.687, abs=5e-4)
    assert no["total"] == pytest.approx(1000 - 350.687, abs=5e-4)
    assert yes["share"] == pytest.approx(0.350687, abs=5e-7)
    assert yes["noise_variance"] == pytest.approx(0.00092067, rel=1e-5)
    assert (answer["method"], answer["confidence"]) == ("wilson", 0.95)
    assert yes["low"] == pytest.approx(0.284965, abs=5e-7)
    assert yes["high"] == pytest.approx(0.417553, abs=5e-7)


def test_negative_estimates_are_printed_as_they_are_with_the_possible_ones_beside() -> None:
    yes = figures(*COUNTS, "900,100")["estimates"][1]
    assert yes["share"] < 0
    assert yes["possible_share"] == 0
    assert yes["flag"] is True


def test_an_exact_interval_and_a_confidence_on_request() -> None:
    plain = figures(*COUNTS, "569,431")["estimates"][1]
    exact = figures(*COUNTS, "569,431", "--exact")
    assert exact["method"] == "clopper_pearson"
    assert exact["estimates"][1]["low"] < plain["low"]
    wide = figures(*COUNTS, "569,431", "--confidence", "0.99")
    assert wide["confidence"] == 0.99
    assert wide["estimates"][1]["high"] > plain["high"]


def test_the_table_is_for_people() -> None:
    output = run(*COUNTS, "569,431").stdout
    assert "1,000 reports" in output
    assert "35.07%" in output
    assert "28.50% to 41.76%" in output
    assert "350.7" in output
    assert "No possible share" not in output
    assert "No possible share" in run(*COUNTS, "900,100").stdout


def test_the_total_is_printed_with_its_standard_error_and_its_interval() -> None:
    yes = figures(*COUNTS, "600,400")["estimates"][1]
    assert yes["total_standard_error"] == pytest.approx(33.540597, abs=5e-7)
    assert "283.6 ± 33.5   218.8 to 350.0" in run(*COUNTS, "600,400").stdout
    # Of many reports without decimals.
    assert "2,836 ± 106   2,629 to 3,045" in run(*COUNTS, "6000,4000").stdout


SIX = ("estimate", "--mechanism", "ss", "--options", "6", "--size", "2", "--epsilon", "1")


def test_the_options_that_may_have_the_largest_share_are_named_without_any_chance() -> None:
    counts = (*SIX, "--counts", "250,230,200,180,170,170")
    (leaders,) = figures(*counts)["leaders"]
    assert leaders["best"] == ["0", "1"]
    assert leaders["confidence"] == 0.95
    output = run(*counts).stdout
    assert "With 95 % confidence the largest share is that of 0 or 1." in output
    assert "chance" not in output
    clear = (*SIX, "--counts", "600,120,120,120,120,120")
    assert "0 has the largest share (95 % confidence)." in run(*clear).stdout
    even = ("estimate", "--mechanism", "ss", "--options", "8", "--size", "1", "--epsilon", "1")
    output = run(*even, "--counts", ",".join(["40"] * 8)).stdout
    assert "With 95 % confidence the largest share is that of one of 8 options." in output
    assert figures(*COUNTS, "600,400")["leaders"] == []


def test_long_labels_are_cut_so_that_no_line_is_wider_than_a_hundred_characters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    row = {"quantity": "share", "flag": False, "reported_count": 12_345, "n": 99_999}
    row["method"] = "wilson"
    row |= dict.fromkeys(("value", "low", "high"), -0.12345)
    row |= dict.fromkeys(("total", "total_standard_error", "total_low", "total_high"), -12_345.6)
    rows = [row | {"question": id, "label": f"{id} {'long ' * 30}"} for id in ("first", "second")]
    leader = {"question": "first", "best": ["long " * 30] * 3, "confidence": 0.95}
    found = {"n": 99_999, "confidence": 0.95, "estimates": rows}
    print_estimates(found | {"leaders": [leader | {"max_error": 0.1}]})
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) == 100
    assert sum("…" in line for line in lines) == 2


@pytest.mark.parametrize("counts", ["-1,5", "1.5,2", "1e3,2", "nan,2", "a,b", "", "5,", "٣,4"])
def test_counts_that_are_no_natural_numbers_are_refused(counts: str) -> None:
    message = complaint(*COUNTS[:-1], f"--counts={counts}")
    assert "counts must be integers of at least 0 such as 569,431" in message


@pytest.mark.parametrize("epsilon", ["nan", "0", "inf", "-1", "10.1", "one"])
def test_an_epsilon_that_is_none_is_refused(epsilon: str) -> None:
    message = complaint("estimate", f"--epsilon={epsilon}", "--counts", "5,5")
    assert message.startswith("epsilon must be")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--epsilon", "1", "--counts", "5"), "counts must have 2 cells for rr, got 1"),
        (("--epsilon", "1", "--counts", "0,0"), "needs at least one report"),
        (("--mechanism", "plain", "--epsilon", "1", "--counts", "5,5"), "mechanism must be rr"),
        (("--epsilon", "1", "--counts", "5,5", "--confidence", "1"), "confidence must be between"),
        (
            ("--epsilon", "1", "--counts", "5,5", "--confidence", "nan"),
            "confidence must be between",
        ),
        (("--counts", "5,5"), "give either DATA, or --counts with --epsilon"),
        (("--epsilon", "1"), "give either DATA"),
        (("reports.jsonl",), "reports.jsonl cannot be read"),
        (("reports.jsonl", "--counts", "5,5"), "give either DATA"),
        ((), "give either DATA"),
    ],
)
def test_input_that_makes_no_sense_is_refused(arguments: tuple[str, ...], reason: str) -> None:
    assert reason in complaint("estimate", *arguments)


def test_figures_are_plain_json_even_at_a_share_of_zero(tmp_path: Path) -> None:
    """No NaN and no Infinity, which JSON does not have."""
    result = run(*COUNTS, "1,0", "--json")

    def refuse(text: str) -> None:
        raise AssertionError(text)

    json.loads(result.stdout, parse_constant=refuse)


@pytest.mark.parametrize(
    ("mechanism", "shape", "counts", "n"),
    [
        ("ss", ("--options", "5", "--size", "2"), "90,80,80,70,80", 200),
        ("hr", ("--options", "3"), "10,20,30,40", 100),
        ("smp", ("--options", "2", "--asked", "1"), "30,20,25,25", 100),
        ("privset", ("--options", "3", "--at-most", "2", "--size", "1"), "30,20,25,15,10", 100),
    ],
)
def test_counts_of_every_mechanism_become_shares(
    mechanism: str, shape: tuple[str, ...], counts: str, n: int
) -> None:
    answer = figures(
        *("estimate", "--mechanism", mechanism, *shape, "--epsilon", "1", "--counts", counts)
    )
    assert (answer["mechanism"], answer["n"]) == (mechanism, n)
    assert {row["quantity"] for row in answer["estimates"]} == {"share"}
    assert all(row["low"] < row["share"] < row["high"] for row in answer["estimates"])


@pytest.mark.parametrize(
    ("mechanism", "shape", "counts"),
    [("rt", ("--top", "2"), "30,20,25,25"), ("isw", ("--top", "2", "--width", "1"), "5,9,9,5")],
)
def test_counts_of_levels_become_a_mean_and_a_distribution(
    mechanism: str, shape: tuple[str, ...], counts: str
) -> None:
    command = ("estimate", "--mechanism", mechanism, *shape, "--epsilon", "1", "--counts", counts)
    rows = figures(*command)["estimates"]
    assert [row["quantity"] for row in rows[:6]] == ["mean", *QUANTILES]
    output = run(*command).stdout
    for words in ("5 % quantile", "median", "at most 1"):
        assert words in output
    assert "at 95 % confidence only" not in output
    assert "neighbours are grouped" not in output


@pytest.mark.parametrize(("top", "is_grouped"), [(127, False), (128, True)])
def test_the_terminal_says_whether_neighbouring_levels_are_grouped(
    top: int, is_grouped: bool
) -> None:
    shape = ("--mechanism", "isw", "--top", str(top), "--width", "40", "--epsilon", "1")
    output = run("estimate", *shape, "--counts", ",".join(["9"] * (top + 41))).stdout
    assert ("neighbours are grouped" in output) == is_grouped


def test_at_another_confidence_the_terminal_says_which_intervals_are_missing() -> None:
    shape = ("--mechanism", "rt", "--top", "2", "--epsilon", "1", "--counts", "30,20,25,25")
    output = run("estimate", *shape, "--confidence", "0.9").stdout
    assert "Quantiles and shares up to a level have an interval at 95 % confidence only." in output
    (median,) = [line.split() for line in output.splitlines() if "median" in line]
    assert median[-1] == "-"


def test_counts_that_reports_could_not_have_made_are_refused() -> None:
    shape = ("--mechanism", "ss", "--options", "3", "--size", "2")
    message = complaint("estimate", *shape, "--epsilon", "1", "--counts", "3,3,1")
    assert "counts must add up to 2 for each report, got 7" in message


def test_of_a_long_list_the_largest_shares_are_printed() -> None:
    counts = ",".join(["5"] * 64)
    output = run(
        "estimate", "--mechanism", "hr", "--options", "40", "--epsilon", "1", "--counts", counts
    )
    assert "15 smaller shares are not shown; --json has them." in output.stdout


def test_of_a_fine_grid_some_cumulative_shares_are_printed() -> None:
    shape = ("--mechanism", "isw", "--top", "60", "--width", "40")
    counts = ",".join(["5"] * 101)
    output = run("estimate", *shape, "--epsilon", "1", "--counts", counts).stdout
    assert "at most 50" in output
    assert "at most 51" not in output
    assert "not shown" not in output


BOXES = ("estimate", "--mechanism", "smp", "--options", "5", "--asked", "1", "--epsilon", "1")


def test_reports_that_are_aimed_at_one_box_are_flagged() -> None:
    aimed = (*BOXES, "--counts", "9,5,9,5,9,5,9,35,9,5")
    (draw,) = figures(*aimed)["draws"]
    assert (draw["drawn"], draw["flag"]) == ("boxes", True)
    assert [(item["label"], item["reports"]) for item in draw["uneven"]] == [("3", 44)]
    printed = run(*aimed).output
    assert "! uneven boxes: 3 (44 reports, 20 expected)." in printed
    assert "Even counts prove nothing" in printed
    even = (*BOXES, "--counts", "10,10,10,10,10,10,10,10,10,10")
    assert figures(*even)["draws"][0]["uneven"] == []
    assert "uneven" not in run(*even).output


def test_json_says_what_the_honest_reports_would_give_if_some_were_forged() -> None:
    rows = figures(*COUNTS, "600,400")["forging"]
    assert [(row["label"], row["forged"]) for row in rows] == [
        *(("0", 10), ("1", 10), ("0", 100), ("1", 100)),
    ]
    yes = rows[1]
    p = math.e / (1 + math.e)
    ends = [(share - 1 + p) / (2 * p - 1) for share in (390 / 990, 400 / 990)]
    assert [yes["honest_low"], yes["honest_high"]] == pytest.approx(ends)
    assert yes["move"] == pytest.approx(0.01 * p / (2 * p - 1))


def test_reports_that_are_all_alike_do_not_make_a_total_exact(tmp_path: Path) -> None:
    survey, reports = tmp_path / "survey.json", tmp_path / "reports.csv"
    question = {"id": "y", "prompt": "Y?", "epsilon": "4"}
    survey.write_text(json.dumps({"slug": "y", "title": "Y", "questions": [question]}))
    reports.write_text("y\n" + "1\n" * 60)
    said = run("estimate", reports, "--survey", survey).output
    assert "61.1 ± ? " in said
    assert "± 0.0" not in said
