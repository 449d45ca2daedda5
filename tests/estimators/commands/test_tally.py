"""`candor tally` counts files of reports, adds tallies, and `candor estimate` takes the sum."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest

from client.core.survey import Survey
from estimators.tallies import pieces
from tests.support.figures import complaint, figures, run
from tests.support.process import ROOT
from tests.support.surveys import survey_of, yes_no
from tests.support.tallies import (
    BY_CHOICE,
    BY_LINK,
    PLAIN,
    SHAPES,
    document_file,
    report_file,
    survey_with,
)

REPORTS = 300


def tallied(*arguments: object) -> str:
    result = run("tally", *arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def together(folder: Path, survey: Survey, *files: Path) -> Path:
    """Return one file of text with the reports of several."""
    path = folder / f"all{files[0].suffix}"
    texts = [file.read_bytes() for file in files]
    heading = texts[0].partition(b"\n")[0] + b"\n" if path.suffix == ".csv" else b""
    path.write_bytes(heading + b"".join(text.removeprefix(heading) for text in texts))
    return path


@pytest.mark.parametrize("shape", SHAPES)
def test_the_estimates_of_tallies_are_those_of_the_reports(shape: str, tmp_path: Path) -> None:
    """Half of the reports are counted in one tally, and half in two formats in another."""
    survey = survey_with(shape)
    document = document_file(tmp_path, survey)
    files = [report_file(tmp_path / f"r{i}.csv", survey, REPORTS, i) for i in range(3)]
    columnar = report_file(tmp_path / "r2.parquet", survey, REPORTS, 2)
    everything = together(tmp_path, survey, *files)
    a, b, sum = (tmp_path / f"{name}.json" for name in ("a", "b", "sum"))
    said = tallied(files[0], "--survey", document, "-o", a)
    assert said == f"300 reports in 1 part counted into {a}\n"
    tallied(columnar, files[1], "--survey", document, "-o", b)
    tallied(b, a, "-o", sum)
    ways: list[tuple[object, ...]] = [(), ("--exact",), ("--question", "trust")]
    if survey.groups:
        ways += [("--by", "arm"), ("--by", "site"), ("--by", "group", "--confidence", "0.9")]
    for way in ways:
        direct = figures("estimate", everything, "--survey", document, *way)
        assert figures("estimate", sum, *way) == direct
        assert figures("estimate", sum, "--survey", document, *way) == direct
    plain = run("estimate", sum).stdout
    assert plain == run("estimate", everything, "--survey", document).stdout
    # Everything in one go, whatever the order, the threads and the names.
    once = tallied(tmp_path / "r[01].csv", columnar, "--survey", document, "--jobs", 2)
    assert once == sum.read_text() == tallied(a, b)


@pytest.mark.parametrize("shape", [BY_LINK, BY_CHOICE])
def test_a_comparison_of_groups_needs_only_their_tallies(shape: str, tmp_path: Path) -> None:
    survey = survey_with(shape)
    document = document_file(tmp_path, survey)
    reports = report_file(tmp_path / "reports.parquet", survey, 2000)
    tally = tmp_path / "tally.json"
    tallied(reports, "--survey", document, "-o", tally)
    for question, *way in (("smokes",), ("trust", "--by", "arm"), ("colour", "--option", "a")):
        direct = figures("compare", reports, question, "--survey", document, *way)
        assert figures("compare", tally, question, *way) == direct


def test_pieces_of_a_file_count_what_the_whole_file_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    survey = survey_with(BY_LINK)
    document = document_file(tmp_path, survey)
    path = report_file(tmp_path / "reports.parquet", survey, REPORTS)
    parquet.write_table(parquet.read_table(path), path, row_group_size=7)
    whole = tallied(path, "--survey", document)
    monkeypatch.setattr(pieces, "ROWS_IN_PIECE", 20)
    assert tallied(path, "--survey", document, "--jobs", 3) == whole
    # The row of a bad report is counted from the beginning of the file.
    table = parquet.read_table(path)
    smokes = table.column("smokes").to_pylist()
    smokes[200] = 2
    place = table.column_names.index("smokes")
    table = table.set_column(place, "smokes", [smokes])
    parquet.write_table(table, path, row_group_size=7)
    reason = complaint("tally", path, "--survey", document, "-o", tmp_path / "tally.json")
    assert reason == f"{path} row 201: smokes must be an integer from 0 to 1, got 2"
    assert not (tmp_path / "tally.json").exists()


def test_what_does_not_add_up_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    survey, other = survey_with(PLAIN), survey_of(yes_no("a", "1"))
    document = document_file(tmp_path, survey)
    reports = report_file(tmp_path / "reports.csv", survey, 20)
    tally, foreign = tmp_path / "tally.json", tmp_path / "foreign.json"
    tallied(reports, "--survey", document, "-o", tally)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    others = report_file(elsewhere / "reports.jsonl", other, 20)
    tallied(others, "--survey", document_file(elsewhere, other), "-o", foreign)
    copy = tmp_path / "copy.csv"
    shutil.copy(reports, copy)
    damaged = tmp_path / "damaged.json"
    damaged.write_text(tally.read_text().replace('"reports":20', '"reports":21'))
    short = tmp_path / "short.json"
    short.write_bytes(tally.read_bytes()[:-200])
    empty = tmp_path / "empty.csv"
    empty.write_text(reports.read_text().partition("\n")[0] + "\n")
    out = tmp_path / "out.json"
    before = sorted(tmp_path.iterdir())
    cases: list[tuple[tuple[object, ...], str]] = [
        (
            (tally, foreign),
            f"{foreign} is of another survey: its fingerprint is {other.fingerprint}",
        ),
        ((tally, tally), f"{tally} counts 20 reports again that {tally} counts"),
        ((tally, reports, "--survey", document), f"{reports} counts 20 reports again that {tally}"),
        ((reports, copy, "--survey", document), f"{copy} counts 20 reports again that {reports}"),
        ((damaged,), f"{damaged}: the checksum does not fit"),
        ((short,), f"{short}: the tally is not JSON"),
        ((document,), f"{document}: this is no tally"),
        ((reports,), f"{reports} is no tally; give the survey of its reports with --survey"),
        ((foreign, "--survey", document), f"{foreign} is of another survey"),
        ((others, "--survey", document), f"{others} line 1: the report was made for another"),
        ((empty, "--survey", document), f"{empty} holds no reports"),
        ((tmp_path / "*.none",), f"no file matches {tmp_path / '*.none'}"),
        ((tmp_path / "none.json",), f"{tmp_path / 'none.json'} cannot be read"),
        ((tmp_path / "none.txt", "--survey", document), "none.txt cannot be read"),
    ]
    for arguments, reason in cases:
        assert reason in complaint("tally", *arguments, "-o", out)
    assert "tally.json exists and is not overwritten" in complaint("tally", tally, "-o", tally)
    assert "out.txt must end in .json" in complaint("tally", tally, "-o", tmp_path / "out.txt")
    assert sorted(tmp_path.iterdir()) == before


def test_other_commands_say_what_a_tally_lacks(tmp_path: Path) -> None:
    survey = survey_with(PLAIN)
    document = document_file(tmp_path, survey)
    tally = tmp_path / "tally.json"
    tallied(report_file(tmp_path / "r.csv", survey, 20), "--survey", document, "-o", tally)
    rows = f"{tally} is a tally: it holds counts, and this needs the reports themselves"
    assert complaint("cross", tally, "smokes", "trust") == rows
    assert complaint("regress", tally, "--formula", "smokes ~ trust") == rows
    margins = tmp_path / "margins.csv"
    margins.write_text("attribute,level,part\narm,a,0.5\narm,b,0.5\n")
    assert complaint("compare", tally, "smokes", "--rake", margins) == rows
    assert complaint("estimate", tally, "--design", document).startswith(f"{tally} is a tally, and")
    by = complaint("estimate", tally, "--by", "arm")
    assert by == "these reports belong to no groups, so there is no arm to tell them apart"
    small = survey_of(yes_no("a", "1"))
    (tmp_path / "other").mkdir()
    foreign = document_file(tmp_path / "other", small)
    wrong = complaint("estimate", tally, "--survey", foreign)
    own = survey.fingerprint
    assert wrong.startswith(f"{tally} is of another survey: its fingerprint is {own}")


def test_memory_does_not_grow_with_the_number_of_reports(tmp_path: Path) -> None:
    """Ten million reports take no more memory than two; 20 MB are allowed for what is not ours."""
    program = """
import resource, sys
from pathlib import Path
import numpy, pyarrow, pyarrow.parquet as parquet
from estimators.counting.formats import schema_of
from estimators.tallies import pieces
from estimators.tallies.adding import Adding
from estimators.tallies.counting import add_files
from estimators.workers.threads import Threads
from tests.support.surveys import survey_of, yes_no

survey, folder = survey_of(yes_no("a", "1")), Path(sys.argv[1])
bits = numpy.random.Generator(numpy.random.SFC64(1)).integers(0, 2, 2**18, dtype=numpy.int32)
batch = pyarrow.record_batch([pyarrow.array(bits)], schema=schema_of(survey))

def peak(batches):
    path = folder / f"{batches}.parquet"
    with parquet.ParquetWriter(path, batch.schema) as writer:
        for _ in range(batches):
            writer.write_batch(batch)
    adding = Adding(survey)
    add_files(adding, [path], Threads(2))
    assert adding.result().reports == batches * 2**18
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

pieces.ROWS_IN_PIECE = 2**18
print(peak(8), peak(40))
"""
    measured = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    few, many = map(int, measured.stdout.split())
    assert many - few < 20_000


def test_a_tally_has_everything_a_reader_needs_in_one_file(tmp_path: Path) -> None:
    survey = survey_with(BY_LINK)
    document = document_file(tmp_path, survey)
    path = report_file(tmp_path / "reports.csv", survey, 50)
    value: dict[str, Any] = json.loads(tallied(path, "--survey", document))
    assert value["candor_tally"] == 1
    assert value["survey"] == json.loads(survey.document)
    assert sum(group["reports"] for group in value["groups"]) == value["reports"] == 50
    assert [part["reports"] for part in value["parts"]] == [50]
