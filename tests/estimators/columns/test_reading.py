"""A data set is the same whichever way it comes: zip, folder, CSV, JSON Lines or Parquet."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from estimators.analysis.data import Data
from estimators.columns.estimates import estimate_frame
from estimators.columns.frame import Frame
from estimators.columns.reading import frame_of_reports, read_frame
from estimators.counting.reports_file import tally_file
from estimators.simulation.kernels.source import stream
from estimators.simulation.people.population import Population
from estimators.simulation.people.shares import shares_by_question
from estimators.simulation.reports import simulate_reports
from tests.support.exported import exported, reports_of, survey_to_export, unpack

GROUPS = ("", "north", "south")
N = 90


@pytest.fixture(params=[False, True], ids=["all", "sampled"])
def survey(request: pytest.FixtureRequest) -> Survey:
    return survey_to_export(request.param)


@pytest.fixture
def zipped(survey: Survey, tmp_path: Path) -> Path:
    path = tmp_path / "export.zip"
    path.write_bytes(exported(survey, reports_of(survey, N, GROUPS)))
    return path


def same(one: Frame, other: Frame) -> None:
    assert one.n == other.n == N
    for name, column in one.randomized.items():
        again = other.question(name)
        for mine, others in zip(column.codes.tolist(), again.codes.tolist(), strict=True):
            assert (mine == -1) == (others == -1)
            assert mine == -1 or column.reports[mine] == again.reports[others]


def test_zip_folder_and_csv_hold_the_same_columns(
    zipped: Path, survey: Survey, tmp_path: Path
) -> None:
    frame = read_frame(zipped)
    folder = unpack(zipped.read_bytes(), tmp_path / "unpacked")
    same(frame, read_frame(folder))
    same(frame, read_frame(folder / "reports.csv", folder / "survey.json"))
    same(frame, frame_of_reports(survey, reports_of(survey, N, GROUPS)))
    assert frame.tallies() == tally_file(folder / "reports.csv", survey)
    assert sorted(frame.covariate("group").tolist()) == sorted(GROUPS * 30)


def test_json_lines_and_parquet_hold_the_same_columns(survey: Survey, tmp_path: Path) -> None:
    from estimators.counting.formats import load_pyarrow, schema_of

    people = Population(survey, shares_by_question(survey, []))
    reports = list(simulate_reports(people, N, stream(3)))
    lines, table, document = (tmp_path / name for name in ("r.jsonl", "r.parquet", "s.json"))
    lines.write_bytes(b"".join(report.body + b"\n" for report in reports))
    document.write_bytes(survey.document)
    arrow = load_pyarrow()
    rows = [dict(report.randomized) for report in reports]
    arrow.parquet.write_table(arrow.Table.from_pylist(rows, schema_of(survey)), table)
    frame = read_frame(lines, document)
    same(frame, read_frame(table, document))
    assert frame.tallies() == tally_file(lines, survey)


def test_the_tallies_of_the_groups_add_up(zipped: Path) -> None:
    frame = read_frame(zipped)
    groups = frame.covariate("group")
    parts = [frame.tallies(groups == group) for group in GROUPS]
    for id, whole in frame.tallies().items():
        assert whole.n == sum(part[id].n for part in parts)
        assert list(whole.counts) == [
            sum(cell) for cell in zip(*(part[id].counts for part in parts), strict=True)
        ]


def test_attributes_of_groups_become_columns(zipped: Path, tmp_path: Path) -> None:
    file = tmp_path / "groups.csv"
    file.write_text("group,arm,height\nnorth,a,1.5\nsouth,b,2\n")
    frame = read_frame(zipped, attributes=file)
    groups, arms = frame.covariate("group").tolist(), frame.covariate("arm").tolist()
    assert set(zip(groups, arms, strict=True)) == {("", ""), ("north", "a"), ("south", "b")}
    assert np.nansum(frame.covariate("height")) == pytest.approx(30 * 3.5)


FORCED = {"kind": "forced", "yes": 1 / 6, "no": 1 / 6}


def foreign(tmp_path: Path, question: Any, rows: str = "y\n1\n0\n") -> Frame:
    data, design = tmp_path / "d.csv", tmp_path / "design.json"
    data.write_text(rows)
    design.write_text(json.dumps({"format": 1, "questions": {"y": question}}))
    return read_frame(data, design=design)


# The designs of the literature: parameters, the epsilon they give, and what 420 of 1,000 mean.
PUBLISHED = [
    ({"kind": "warner", "p": 0.7}, 0.8473, 0.3, 0.039039),
    (FORCED, 1.6094, 0.38, 0.023423),
    ({"kind": "unrelated", "p": 0.7, "u": 0.4}, 1.9218, 0.428571, 0.022308),
    ({"kind": "crosswise", "u": 0.25}, 1.0986, 0.66, 0.031231),
    ({"kind": "triangular", "u": 0.3}, np.inf, 0.171429, 0.022308),
    ({"kind": "kuk", "p_yes": 0.8, "p_no": 0.3}, 1.2528, 0.24, 0.031231),
    ({"kind": "mangat", "p": 0.4}, np.inf, -0.45, 0.039039),
]


@pytest.mark.parametrize(("question", "epsilon", "share", "error"), PUBLISHED)
def test_designs_of_the_literature_give_their_published_shares(
    tmp_path: Path, question: Any, epsilon: float, share: float, error: float
) -> None:
    frame = foreign(tmp_path, question, "y\n" + "1\n" * 420 + "0\n" * 580)
    column = frame.question("y")
    scores = column.by_row(column.scores)[:, 1]
    assert scores.mean() == pytest.approx(share, abs=1e-6)
    assert scores.std(ddof=1) / 1000**0.5 == pytest.approx(error, abs=1e-6)
    assert column.channel.epsilon == pytest.approx(epsilon, abs=1e-4)  # type: ignore[attr-defined]


def test_forced_answers_to_several_options(tmp_path: Path) -> None:
    question = {"kind": "forced_options", "forced": [0.1, 0.05, 0.15], "options": ["a", "b", "c"]}
    frame = foreign(tmp_path, question, "y\n" + "a\n" * 240 + "b\n" * 310 + "c\n" * 250)
    column = frame.question("y")
    shares = column.by_row(column.scores).mean(axis=0)
    assert shares == pytest.approx([0.285714, 0.482143, 0.232143], abs=1e-6)


def test_several_cards_are_scored_by_the_red_ones(tmp_path: Path) -> None:
    question = {"kind": "kuk", "p_yes": 0.8, "p_no": 0.3, "draws": 5}
    column = foreign(tmp_path, question, "y\n0\n3\n5\n").question("y")
    assert column.by_row(column.scores)[:, 1] == pytest.approx([-0.6, 0.6, 1.4])
    chances = column.chances
    assert chances is not None
    assert chances.sum(axis=0) == pytest.approx([1, 1])


def test_chances_may_differ_by_row(tmp_path: Path) -> None:
    rows = "y,p,q\n1,0.8,0.2\n0,0.8,0.2\n1,0.9,0.3\n,0.5,0.5\n"
    column = foreign(tmp_path, {"p_column": "p", "q_column": "q"}, rows).question("y")
    scores = column.by_row(column.scores)[:, 1]
    assert scores[:3] == pytest.approx([0.8 / 0.6, -0.2 / 0.6, 0.7 / 0.6])
    assert np.isnan(scores[3])
    assert column.chances is not None
    assert column.by_row(column.chances)[2] == pytest.approx([0.3, 0.9])


REFUSED = [
    ({"kind": "warner", "p": 0.5}, "y cannot be inverted"),
    ({"kind": "warner", "p": 1.5}, "y: p must be a probability from 0 to 1, got 1.5"),
    ({"kind": "warner", "q": 0.5}, "y: a design of the kind warner takes p, got q"),
    ({"kind": "wagner", "p": 0.7}, "y: kind must be one of warner, forced"),
    ({"p_column": "p"}, "y must be an object with reports, truths and matrix"),
    ({"p_column": "p", "q_column": "q"}, "p is not a column of"),
    (
        {"reports": ["0", "1"], "truths": ["0", "1"], "matrix": [[0.8, 0.3], [0.3, 0.7]]},
        "y must have columns that sum to 1; column 1 sums to 1.1",
    ),
    (
        {"reports": ["0", "1"], "truths": ["0", "1"], "matrix": [[1.2, 0.3], [-0.2, 0.7]]},
        "y must be a matrix of probabilities",
    ),
    (
        {"reports": ["0", "1"], "truths": ["0", "1"], "matrix": [[0.8, 0.3]]},
        "y must be a matrix of 2 rows",
    ),
]


@pytest.mark.parametrize(("question", "sentence"), REFUSED)
def test_a_design_that_is_no_channel_is_refused_in_a_sentence(
    tmp_path: Path, question: Any, sentence: str
) -> None:
    with pytest.raises(Refusal) as refused:
        foreign(tmp_path, question)
    assert sentence in str(refused.value)


def test_a_table_of_foreign_data_gives_share_total_and_errors(tmp_path: Path) -> None:
    frame = foreign(tmp_path, FORCED, "y\n" + "1\n" * 420 + "0\n" * 580)
    no, yes = estimate_frame(frame)
    assert yes["share"] == pytest.approx(0.38, abs=1e-6)
    assert yes["standard_error"] == pytest.approx(0.023423, abs=1e-6)
    assert (yes["total"], yes["n"]) == (pytest.approx(380), 1000)
    assert yes["total_standard_error"] == pytest.approx(23.423, abs=1e-3)
    # P(1 | no) = 1/6 and P(1 | yes) = 5/6: the noise is the same for both.
    noise = (5 / 36) / (2 / 3) ** 2 * 1000
    assert yes["total_noise_variance"] == pytest.approx(noise)
    whole = yes["total_standard_error"] ** 2
    assert whole == pytest.approx(noise + yes["total_sampling_variance"])
    assert no["low"] == pytest.approx(1 - yes["high"])
    assert yes["low"] < 0.38 < yes["high"]


def test_a_design_that_says_yes_to_no_has_its_interval_the_right_way_round(tmp_path: Path) -> None:
    frame = foreign(tmp_path, {"kind": "crosswise", "u": 0.25}, "y\n" + "1\n" * 42 + "0\n" * 58)
    _, yes = estimate_frame(frame)
    assert yes["share"] == pytest.approx(0.66)
    assert yes["low"] < 0.66 < yes["high"]


def test_chances_by_row_give_the_noise_of_each_row(tmp_path: Path) -> None:
    rows = "y,p,q\n1,0.8,0.2\n0,0.8,0.2\n1,0.9,0.3\n0,0.9,0.3\n"
    frame = foreign(tmp_path, {"p_column": "p", "q_column": "q"}, rows)
    _, yes = estimate_frame(frame)
    share = (0.5 - 0.2) / 0.6 / 2 + (0.5 - 0.3) / 0.6 / 2
    first, second = 0.16 / 0.36, (0.09 * share + 0.21 * (1 - share)) / 0.36
    assert yes["share"] == pytest.approx(share)
    assert yes["noise_variance"] == pytest.approx((2 * first + 2 * second) / 16)


def test_what_is_no_report_is_refused_with_its_row(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=r"y: row 2 must be one of the reports 0, 1, got '2'"):
        foreign(tmp_path, FORCED, "y\n1\n2\n")


def test_what_is_no_data_set_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "x.zip"
    text.write_text("no zip")
    with pytest.raises(Refusal, match="must be an export's zip or its folder"):
        read_frame(text)
    with pytest.raises(Refusal, match=r"is not an export: it has no survey.json, reports.csv"):
        read_frame(tmp_path)
    with pytest.raises(Refusal, match="give the survey of its reports with --survey"):
        read_frame(tmp_path / "d.csv")


def test_a_value_that_is_missing_is_no_group_of_its_own(tmp_path: Path) -> None:
    """Its rows would look like those of everybody, or be counted as none."""
    rows = "y,site,age\n" + 2 * "1,a,1\n0,,NA\n1,b,2\n0,a,2\n"
    data = Data(foreign(tmp_path, {"kind": "warner", "p": 0.75}, rows))
    assert [row["group"] for row in data.estimate(by="site")] == ["a", "a", "b", "b"]
    assert [row["group"] for row in data.estimate(by="age")] == ["1", "1", "2", "2"]
