"""Groups of a survey or of a foreign CSV, from tallies or columns to one comparison."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from estimators.columns.frame import Frame
from estimators.columns.reading import frame_of_reports, read_frame
from estimators.compare.groups import compare_frame, compare_tallies
from estimators.compare.joint import holm
from estimators.compare.samples import ShareSample
from estimators.compare.two_shares import MEE, MOVER, difference_interval, shares_test
from estimators.counting.tally import Tally
from estimators.tables.table import estimate_table
from tests.support.exported import reports_of, survey_to_export

GROUPS = ("north", "south", "", "east")
SHOWN = ("east", "north", "south")


@pytest.fixture(scope="module")
def survey() -> Survey:
    return survey_to_export(False)


@pytest.fixture(scope="module")
def frame(survey: Survey) -> Frame:
    return frame_of_reports(survey, reports_of(survey, 800, GROUPS))


def tallies(frame: Frame, name: str) -> dict[str, Tally]:
    groups = frame.covariate("group")
    return {group: frame.tallies(groups == group)[name] for group in SHOWN}


def every_question() -> list[str]:
    return [question.id for question in survey_to_export(False).questions]


@pytest.mark.parametrize("name", every_question())
def test_every_kind_of_question_is_compared_alike_by_tallies_and_by_columns(
    frame: Frame, survey: Survey, name: str
) -> None:
    (question,) = (item for item in survey.questions if item.id == name)
    option = question.options[1] if name == "name" else None
    one = compare_tallies(question, tallies(frame, name), option)
    other = compare_frame(frame, name, option=option)
    assert other.without_group == 200
    assert one.groups == other.groups
    assert one.differences == other.differences
    assert one.tests == other.tests
    assert {row.group for row in one.groups} == set(SHOWN)
    assert json.loads(json.dumps(one.as_json(), allow_nan=False))["question"] == name


@pytest.mark.parametrize("name", ["smokes", "colour", "illness", "any", "drinks"])
def test_the_groups_have_the_figures_that_estimating_gives_them(
    frame: Frame, survey: Survey, name: str
) -> None:
    found = compare_frame(frame, name)
    groups = frame.covariate("group")
    for group in SHOWN:
        table = estimate_table(survey, frame.tallies(groups == group))
        rows = {row["label"]: row for row in table if row["question"] == name}
        for figure in (figure for figure in found.groups if figure.group == group):
            row = rows[figure.option or "mean"]
            assert figure.value == pytest.approx(row["value"])
            if figure.option:
                assert (figure.low, figure.high) == pytest.approx((row["low"], row["high"]))


def test_a_difference_is_that_of_the_two_tallies(frame: Frame, survey: Survey) -> None:
    found = compare_frame(frame, "smokes", reference="south")
    assert [(row.group, row.reference) for row in found.differences] == [
        ("east", "south"),
        ("north", "south"),
    ]
    assert (found.comparisons, found.confidence_each) == (2, 0.975)
    mechanism = survey.questions[0].mechanism
    assert mechanism.support is not None
    p, q = map(float, mechanism.support)
    samples = {
        group: ShareSample(tally.counts[1], tally.n, p, q)
        for group, tally in tallies(frame, "smokes").items()
    }
    for row in found.differences:
        pair = samples[row.group], samples["south"]
        ends = difference_interval(*pair, 0.975)
        assert (row.low, row.high, row.interval_method) == (ends.low, ends.high, MEE)
        assert row.test == shares_test(*pair)
        assert row.ratio is not None
    assert [row.p_holm for row in found.differences] == holm(
        [row.test.p_value for row in found.differences]
    )


def test_all_pairs_are_compared_without_a_reference_and_of_two_options_only_one(
    frame: Frame,
) -> None:
    assert compare_frame(frame, "smokes").comparisons == 3
    assert {row.option for row in compare_frame(frame, "smokes").groups} == {"Yes"}
    (row,) = compare_frame(frame, "smokes", option="No", reference="east").differences[:1]
    (mirrored,) = compare_frame(frame, "smokes", reference="east").differences[:1]
    assert row.difference == pytest.approx(-mirrored.difference)
    assert row.test.p_value == pytest.approx(mirrored.test.p_value)


def test_holm_multiplies_by_the_tests_that_are_left() -> None:
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_means_are_compared_by_welch_on_the_scores_of_the_rows(frame: Frame) -> None:
    column = frame.question("drinks")
    assert column.mean_scores is not None
    scores, groups = column.by_row(column.mean_scores), frame.covariate("group")
    found = compare_frame(frame, "drinks", reference="south")
    (row,) = (row for row in found.differences if row.group == "north")
    wanted = stats.ttest_ind(scores[groups == "north"], scores[groups == "south"], equal_var=False)
    assert row.test.p_value == pytest.approx(wanted.pvalue)
    assert row.ratio is None
    assert [joint.about for joint in found.tests] == ["mean", "shape"]
    assert found.tests[1].test.df == 18


def test_options_have_one_test_together_and_boxes_one_each(frame: Frame) -> None:
    (joint,) = compare_frame(frame, "colour").tests
    assert (joint.about, joint.test.df) == ("all options", 2 * 8)
    assert [joint.about for joint in compare_frame(frame, "any").tests] == ["x", "y", "z"]
    assert [joint.about for joint in compare_frame(frame, "colour", option="b").tests] == ["b"]


def test_the_second_test_of_the_same_thing_is_left_out(frame: Frame) -> None:
    groups = frame.covariate("group")
    two = {group: frame.tallies(groups == group)["smokes"] for group in ("north", "south")}
    assert frame.survey is not None
    assert compare_tallies(frame.survey.questions[0], two).tests == ()


def test_groups_without_enough_reports_are_left_out_and_named(survey: Survey) -> None:
    empty = Tally((0, 0), 0)
    found = compare_tallies(
        survey.questions[0],
        {"a": Tally((30, 20), 50), "b": empty, "c": Tally((1, 0), 1), "d": Tally((20, 20), 40)},
    )
    assert found.left_out == ("b", "c")
    assert {row.group for row in found.groups} == {"a", "d"}


def test_a_group_without_reports_about_a_box_is_left_out(survey: Survey) -> None:
    (question,) = (item for item in survey.questions if item.id == "any")
    full, half = Tally((20,) * 6, 120), Tally((30, 30, 0, 0, 30, 30), 120)
    found = compare_tallies(question, {"a": full, "b": full, "c": half})
    assert found.left_out == ("c",)
    assert compare_tallies(question, {"a": full, "c": half}, option="x").left_out == ()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"name": "nothing"}, "nothing"),
        ({"by": "region"}, "region"),
        ({"reference": "west"}, "one of the groups east, north, south, got 'west'"),
        ({"option": "Maybe"}, "one of the options No, Yes, got 'Maybe'"),
        ({"name": "drinks", "option": "3"}, "compared by its mean"),
        ({"name": "name"}, "choose a reference group or one option"),
        ({"parts": {"east": 0.5, "north": 0.4}}, "must sum to 1, got 0.9"),
        ({"parts": {"east": 0.5, "north": 0.5}}, "'south' is missing"),
        ({"parts": {"east": 0, "north": 0, "south": 0, "west": 1}}, "above 0 to a group"),
        ({"margins": {"group": {"east": 0.5, "north": 0.5}}}, "'south' has none"),
        ({"margins": {"age": {"old": 1.0}}}, "age"),
        ({"confidence": 1.0}, "confidence must be between 0 and 1"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    frame: Frame, arguments: dict[str, object], reason: str
) -> None:
    given: dict[str, object] = {"name": "smokes", **arguments}
    if given["name"] == "name":
        frame = many_groups(frame)
    with pytest.raises(Refusal, match=reason):
        compare_frame(frame, **given)  # type: ignore[arg-type]


def many_groups(frame: Frame) -> Frame:
    """The same rows in 20 groups."""
    groups = np.array([f"g{row % 20}" for row in range(frame.n)])
    return Frame(frame.n, frame.randomized, {"group": groups}, frame.survey)


def test_one_group_alone_or_none_is_refused(frame: Frame) -> None:
    alone = Frame(frame.n, frame.randomized, {"group": np.full(frame.n, "all")}, frame.survey)
    with pytest.raises(Refusal, match="at least 2 groups with 2 reports each"):
        compare_frame(alone, "smokes")
    with pytest.raises(Refusal, match="no group to compare by"):
        compare_frame(Frame(frame.n, frame.randomized, {}, frame.survey), "smokes")


def test_post_stratification_scales_up_what_is_shown_and_names_the_rest(frame: Frame) -> None:
    parts = {"east": 0.2, "north": 0.3, "south": 0.3, "west": 0.2}
    found = compare_frame(frame, "smokes", parts=parts)
    (row,) = found.weighted
    assert found.not_weighted == ("west",)
    values = {figure.group: figure.value for figure in found.groups}
    wanted = (0.2 * values["east"] + 0.3 * values["north"] + 0.3 * values["south"]) / 0.8
    assert row.value == pytest.approx(wanted)
    assert (row.method, row.n) == ("poststratified", 600)


def test_raking_to_one_attribute_is_post_stratification(frame: Frame) -> None:
    parts = {"east": 0.2, "north": 0.5, "south": 0.3}
    found = compare_frame(frame, "any", parts=parts, margins={"group": parts})
    by_method = {
        method: [row for row in found.weighted if row.method == method]
        for method in ("poststratified", "raked")
    }
    pairs = list(zip(by_method["poststratified"], by_method["raked"], strict=True))
    assert len(pairs) == 3
    for one, other in pairs:
        assert other.value == pytest.approx(one.value)
        assert other.standard_error == pytest.approx(one.standard_error, rel=0.02)
        assert (other.option, other.n) == (one.option, one.n)
        assert other.effective_n == pytest.approx(one.effective_n)


def foreign(folder: Path, design: dict[str, object], rows: list[str]) -> Frame:
    data, file = folder / "data.csv", folder / "design.json"
    data.write_text("\n".join(rows) + "\n")
    file.write_text(json.dumps({"format": 1, "questions": {"y": design}}))
    return read_frame(data, design=file)


@pytest.mark.parametrize("same", [True, False], ids=["one design", "a design per group"])
def test_a_foreign_yes_no_column_is_compared_through_its_channels(
    tmp_path: Path, same: bool
) -> None:
    chances = {"a": (0.8, 0.2), "b": (0.8, 0.2) if same else (0.7, 0.1)}
    counts = {"a": (90, 200), "b": (60, 250)}
    rows = ["y,arm,p,q"]
    for arm, (yes, n) in counts.items():
        p, q = chances[arm]
        rows += [f"{int(row < yes)},{arm},{p},{q}" for row in range(n)]
    frame = foreign(tmp_path, {"p_column": "p", "q_column": "q"}, rows)
    (row,) = compare_frame(frame, "y", by="arm").differences
    pair = [ShareSample(*counts[arm], *chances[arm]) for arm in ("a", "b")]
    ends = difference_interval(pair[0], pair[1])
    assert (row.low, row.high) == pytest.approx((ends.low, ends.high))
    assert row.test.p_value == pytest.approx(shares_test(pair[0], pair[1]).p_value)
    assert row.interval_method == (MEE if same else MOVER)


def test_a_design_that_says_the_opposite_gives_the_same_comparison(tmp_path: Path) -> None:
    """Crosswise with u = 1/4: a 1 is likelier for no than for yes."""
    rows = ["y,arm", *(f"{int(row < 90)},a" for row in range(200))]
    rows += [f"{int(row < 60)},b" for row in range(250)]
    frame = foreign(tmp_path, {"kind": "crosswise", "u": 0.25}, rows)
    found = compare_frame(frame, "y", by="arm")
    pair = [ShareSample(90, 200, 0.25, 0.75), ShareSample(60, 250, 0.25, 0.75)]
    (row,) = found.differences
    ends = difference_interval(pair[0], pair[1])
    assert (row.low, row.high) == pytest.approx((ends.low, ends.high))
    assert [figure.value for figure in found.groups] == pytest.approx([s.value for s in pair])


def test_designs_that_differ_within_a_group_are_compared_by_scores(tmp_path: Path) -> None:
    generator = np.random.Generator(np.random.SFC64(1))
    bits, rows, scores = generator.integers(2, size=300), ["y,arm,p,q"], []
    for row, bit in enumerate(bits.tolist()):
        p, q = (0.8, 0.2) if row % 3 else (0.9, 0.4)
        rows.append(f"{bit},{'ab'[row % 2]},{p},{q}")
        scores.append((bit - q) / (p - q))
    found = compare_frame(
        foreign(tmp_path, {"p_column": "p", "q_column": "q"}, rows), "y", by="arm"
    )
    wanted = stats.ttest_ind(scores[::2], scores[1::2], equal_var=False)
    assert found.differences[0].test.p_value == pytest.approx(wanted.pvalue)
    assert found.quantity == "share"


def test_a_foreign_matrix_is_tested_by_pearson_on_its_reports(tmp_path: Path) -> None:
    table = np.array([[30, 25, 45], [60, 40, 30]])
    rows = ["y,arm"]
    for arm, counts in zip("ab", table.tolist(), strict=True):
        rows += [f"{label},{arm}" for label, n in zip("xyz", counts, strict=True) for _ in range(n)]
    matrix = [[0.7, 0.15, 0.1], [0.2, 0.7, 0.1], [0.1, 0.15, 0.8]]
    design: dict[str, object] = {"reports": [*"xyz"], "truths": [*"xyz"], "matrix": matrix}
    found = compare_frame(foreign(tmp_path, design, rows), "y", by="arm")
    (joint,) = found.tests
    wanted = stats.chi2_contingency(table, correction=False)
    assert joint.test.statistic == pytest.approx(wanted.statistic)
    assert joint.test.df == wanted.dof
    assert len(found.differences) == 3


def test_numbers_and_missing_values_make_groups(tmp_path: Path) -> None:
    rows = ["y,age", *(f"{row % 2},{(10, 9, '')[row % 3]}" for row in range(90))]
    found = compare_frame(foreign(tmp_path, {"kind": "warner", "p": 0.7}, rows), "y", by="age")
    assert [figure.group for figure in found.groups] == ["9", "10"]
    assert found.without_group == 30
    assert all(math.isfinite(figure.value) for figure in found.groups)
