"""compare() of analyse.R, run by R, gives the published figures and those of the package."""

import math
from statistics import NormalDist

import pytest
from scipy.stats import fisher_exact

from estimators.analysis.data import read_data
from estimators.compare.result import Comparison
from tests.support.exported import reports_of
from tests.support.r_asking import Asked, Said, ask_all, counted, survey_of

YES_NO = {"kind": "yes_no", "epsilon": "1"}
SHARP = {"kind": "yes_no", "epsilon": "4"}
SCALE = {"kind": "scale", "epsilon": "1", "lo": "0", "hi": "10", "goal": "mean"}
FOUR = {"kind": "one_of", "epsilon": "3", "options": ["p", "q", "r", "s"]}
BOXES = {"kind": "any_of", "epsilon": "1", "options": ["p", "q", "r"]}
TABLE = {"a": (30, 25, 45, 20), "b": (60, 40, 30, 50)}
PARTS = {"a": 0.25, "b": 0.75}
DIFFERENCES = (
    "z",
    "difference",
    "low",
    "high",
    "p_value",
    "holm",
    "ratio",
    "ratio_low",
    "ratio_high",
)
LINES = (
    "parts <- c(a = 0.25, b = 0.75, c = 0)[sort(unique(reports$group))]",
    "found <- compare('y', parts = parts)",
    *(f"say('{name}', found$differences${name})" for name in DIFFERENCES),
    "say('fisher', as.numeric(found$differences$test == 'fisher'))",
    "say('all', found$test_of_all_groups)",
    "say('weighted', found$weighted_by_parts[c('value', 'standard_error', 'low', 'high', 'n', "
    "'effective_n')])",
    "say('groups', found[[1]][c('low', 'high')])",
)
# A mean has no ratio and no z.
MEANS = tuple(line for line in LINES if "ratio" not in line and "'z'" not in line)
SCALE_SURVEY = survey_of(y=SCALE)
ASKED = {
    "two groups": Asked(survey_of(y=YES_NO), counted({"a": (180, 400), "b": (110, 300)}), LINES),
    # Of the 8 yes, 1.6 are expected in the first group.
    "few": Asked(survey_of(y=SHARP), counted({"a": (3, 30), "b": (5, 120)}), LINES),
    "open ratio": Asked(survey_of(y=YES_NO), counted({"a": (180, 400), "b": (85, 300)}), LINES),
    "alike": Asked(
        survey_of(y=SHARP), counted({"a": (30, 30), "b": (117, 120), "c": (20, 40)}), LINES
    ),
    "options": Asked(
        survey_of(y=FOUR),
        [
            (group, {"y": [option]})
            for group, counts in TABLE.items()
            for option, times in enumerate(counts)
            for _ in range(times)
        ],
        LINES,
    ),
    "boxes": Asked(
        survey_of(y=BOXES),
        [("a", {"y": [[i % 3, i % 2]]}) for i in range(60)]
        + [("b", {"y": [[i % 2, i % 2]]}) for i in range(60)],
        (
            "found <- compare('y')",
            "say('p_value', found$differences$p_value)",
            "say('all', found$test_of_all_groups)",
        ),
    ),
    "means": Asked(SCALE_SURVEY, reports_of(SCALE_SURVEY, 90, ("a", "b")), MEANS),
    "refused": Asked(
        survey_of(y=YES_NO),
        counted({"": (20, 100)}),
        (
            "refuse('one group', compare('y'))",
            "by <- rep(c('a', 'b'), 50)",
            "refuse('sum', compare('y', by, c(a = 0.5, b = 0.4)))",
            "refuse('missing', compare('y', by, c(a = 1)))",
            "refuse('unknown', compare('z'))",
        ),
    ),
}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Said]:
    return ask_all(ASKED, tmp_path_factory.mktemp("compared"))


def of_package(found: Said, parts: dict[str, float] | None = None) -> Comparison:
    return read_data(found.folder).compare("y", parts=parts)


def test_two_groups_are_compared_by_the_score_test_and_the_interval_that_inverts_it(
    said: dict[str, Said],
) -> None:
    found = said["two groups"]
    assert found.number("z") == pytest.approx(2.214968, abs=1e-6)
    ends = found.number("low"), found.number("high")
    assert ends == pytest.approx((0.020854, 0.336658), abs=1e-6)
    assert found.number("p_value") == pytest.approx(2 * NormalDist().cdf(-2.214968), abs=1e-6)
    assert found.numbers["all"][0] == pytest.approx(2.214968**2, abs=1e-5)
    wanted = (180 / 400 - 110 / 300) / math.tanh(0.5)
    assert found.number("difference") == pytest.approx(wanted, abs=1e-8)


def test_with_few_expected_reports_the_test_is_the_exact_one(said: dict[str, Said]) -> None:
    assert said["few"].numbers["fisher"] == [1]
    wanted = fisher_exact([[3, 27], [5, 115]]).pvalue
    assert said["few"].number("p_value") == pytest.approx(wanted, abs=1e-9)


def test_a_ratio_has_no_upper_limit_if_the_second_share_may_be_nothing(
    said: dict[str, Said],
) -> None:
    assert 0 < said["open ratio"].number("ratio_low") < math.inf
    assert said["open ratio"].number("ratio_high") == math.inf


@pytest.mark.parametrize("name", ["two groups", "few", "alike", "options"])
def test_differences_and_ratios_are_those_of_the_package(said: dict[str, Said], name: str) -> None:
    found, pairs = said[name].numbers, of_package(said[name]).differences
    # R has the pairs one by one, with all options of each.
    ordered = sorted(pairs, key=lambda pair: (pair.group, pair.reference))
    for column in ("difference", "low", "high"):
        wanted = [getattr(pair, column) for pair in ordered]
        assert found[column] == pytest.approx(wanted, abs=1e-8)
    assert found["p_value"] == pytest.approx([pair.test.p_value for pair in ordered], abs=1e-8)
    assert found["holm"] == pytest.approx([pair.p_holm for pair in ordered], abs=1e-8)
    for column in ("value", "low", "high"):
        name = "ratio" if column == "value" else f"ratio_{column}"
        wanted = [getattr(pair.ratio, column) for pair in ordered]
        missing = math.nan if column == "value" else math.inf
        known = [missing if one is None else one for one in wanted]
        # R prints a ratio below 0, which the package cuts.
        mine = [max(one, 0.0) if column == "value" else one for one in found[name]]
        assert mine == pytest.approx(known, abs=1e-8, nan_ok=True)


def test_many_groups_and_options_are_tested_at_once_as_pearson_does(said: dict[str, Said]) -> None:
    found = said["options"].numbers
    assert found["all"][:2] == pytest.approx([18.040293, 3], abs=1e-6)
    assert min(found["holm"]) == pytest.approx(4 * min(found["p_value"]))
    # The intervals hold together: one that alone would exclude 0 does not.
    together = NormalDist().inv_cdf(1 - 0.025 / 4)
    ends = zip(found["low"], found["high"], strict=True)
    assert [low <= 0 <= high for low, high in ends] == [abs(z) < together for z in found["z"]]
    assert any(1.96 < abs(z) < together for z in found["z"])


def test_a_group_that_was_not_asked_about_a_box_has_no_difference(said: dict[str, Said]) -> None:
    found = said["boxes"].numbers
    assert [math.isnan(p_value) for p_value in found["p_value"]] == [False, False, True]
    # One degree of freedom for each box that both groups were asked about.
    assert found["all"][1] == 2


def test_means_are_compared_as_the_package_does(said: dict[str, Said]) -> None:
    found, package = said["means"].numbers, of_package(said["means"])
    (pair,) = package.differences
    mine = [found[name][0] for name in ("difference", "low", "high", "p_value")]
    assert mine == pytest.approx(
        [pair.difference, pair.low, pair.high, pair.test.p_value], abs=1e-8
    )
    wanted = [row.low for row in package.groups] + [row.high for row in package.groups]
    assert found["groups"] == pytest.approx(wanted, abs=1e-8)


@pytest.mark.parametrize("name", ["two groups", "options", "means"])
def test_known_parts_of_the_groups_weight_them_as_the_package_does(
    said: dict[str, Said], name: str
) -> None:
    rows = of_package(said[name], PARTS).weighted
    names = ("value", "standard_error", "low", "high", "n", "effective_n")
    wanted = [getattr(row, column) for column in names for row in rows]
    assert said[name].numbers["weighted"] == pytest.approx(wanted, abs=1e-8)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("one group", "compare() needs reports of at least two groups"),
        ("sum", "`parts` must be from 0 to 1 and sum to 1"),
        ("missing", "`parts` has no part for the group b"),
        ("unknown", "there is no question z; codebook.csv lists them"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_a_sentence(
    said: dict[str, Said], name: str, sentence: str
) -> None:
    assert sentence in said["refused"].refused[name]
