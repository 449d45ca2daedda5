"""A tally file is read back as it was written, and a damaged or impossible one is refused."""

import json
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal
from estimators.tallies import tally_file
from estimators.tallies.adding import Adding
from estimators.tallies.counting import add_files
from estimators.tallies.tally_file import parse_tally, read_tally, tally_bytes
from tests.support.tallies import ASKED_THREE, BY_LINK, PLAIN, SHAPES, report_file, survey_with

REPORTS = 40
FLIPS = 400


def written(folder: Path, shape: str = BY_LINK) -> bytes:
    survey = survey_with(shape)
    path = report_file(folder / "reports.csv", survey, REPORTS)
    adding = Adding(survey)
    add_files(adding, [path])
    return tally_bytes(adding.result())


@pytest.mark.parametrize("shape", SHAPES)
def test_a_tally_is_read_back_as_it_was_written(shape: str, tmp_path: Path) -> None:
    data = written(tmp_path, shape)
    tally = parse_tally(data)
    assert tally_bytes(tally) == data
    assert tally.survey == survey_with(shape)
    assert tally.reports == REPORTS
    value = json.loads(data)
    assert value["candor_tally"] == 1
    assert value["fingerprint"] == tally.survey.fingerprint
    assert value["reports"] == REPORTS
    # It says nothing of where or when the reports were counted.
    assert str(tmp_path) not in data.decode()


def test_a_flipped_bit_or_a_lost_end_is_always_found(tmp_path: Path) -> None:
    """Nothing but a refusal, and never another tally."""
    data = written(tmp_path)
    tally, places = parse_tally(data), random.Random(20261119)
    for _ in range(FLIPS):
        damaged = bytearray(data)
        damaged[places.randrange(len(data))] ^= 1 << places.randrange(8)
        cut = data[: places.randrange(len(data) - 1)]
        for broken in (bytes(damaged), cut):
            # A flip in the white space at the end is harmless.
            with suppress(Refusal):
                assert parse_tally(broken) == tally


def test_a_change_that_adds_up_is_found_by_the_checksum(tmp_path: Path) -> None:
    value = json.loads(written(tmp_path))
    counts = first_counts(value)["counts"]
    counts.reverse()
    assert counts[0] != counts[1]
    for change in ({}, {"parts": [{"digest": "0" * 64, "reports": REPORTS}]}):
        with pytest.raises(Refusal, match="the checksum does not fit"):
            parse_tally(canonical.canonical(value | change))


def forged(data: bytes, change: Callable[[Any], object]) -> bytes:
    """Change the content of a tally and give it the checksum that fits."""
    value = json.loads(data)
    change(value)
    del value["checksum"]
    return canonical.canonical(value | {"checksum": tally_file._checksum(value)})


def first_counts(value: Any) -> Any:
    return value["groups"][0]["questions"]["smokes"]


CHANGES: list[tuple[str, Callable[[Any], object], str]] = [
    ("form", lambda v: v.update(candor_tally=2), "has form 2, and this version of Candor reads"),
    ("form text", lambda v: v.update(candor_tally="1"), "has form '1'"),
    ("fingerprint", lambda v: v.update(fingerprint="0" * 64), "is not that of the survey in the"),
    ("survey", lambda v: v["survey"].update(total_epsilon="1"), "total_epsilon must be"),
    ("negative", lambda v: first_counts(v).update(counts=[-1, 7]), "from 0 to n"),
    ("above n", lambda v: first_counts(v).update(counts=[0, 10**6]), "from 0 to n"),
    ("true", lambda v: first_counts(v).update(counts=[True, 6]), "from 0 to n"),
    ("text", lambda v: first_counts(v).update(counts="12"), "counts must be a list"),
    ("cells", lambda v: first_counts(v)["counts"].append(0), "counts must have 2 cells for rr"),
    ("sum", lambda v: first_counts(v).update(counts=[0, 0]), "counts must add up to 1 for each"),
    ("a report more", lambda v: first_counts(v).update(n=1, counts=[0, 1]), "must fit the"),
    ("reports", lambda v: v.update(reports=41), "the parts hold 41 reports and the groups 40"),
    ("part", lambda v: v["parts"][0].update(reports=41), "hold 41 reports and the groups 40"),
    ("digest", lambda v: v["parts"][0].update(digest="x"), "must be 64 hexadecimal digits"),
    ("twice", lambda v: v["parts"].append(v["parts"][0]), "a part appears twice"),
    ("group", lambda v: v["groups"][0].update(group="9-9"), "must be one of the survey's groups"),
    ("groups", lambda v: v["groups"].append(v["groups"][0]), "a group appears twice"),
    ("no groups", lambda v: v.update(groups=[]), "hold 40 reports and the groups 0"),
    ("none", lambda v: v["groups"][0].update(reports=0), "must be an integer from 1 to"),
    ("unknown", lambda v: v.update(more=1), "has the unknown key 'more'"),
    ("missing", lambda v: v.pop("parts"), "has no key 'parts'"),
    ("question", lambda v: v["groups"][0]["questions"].pop("smokes"), "has no key 'smokes'"),
]


@pytest.mark.parametrize(
    ("change", "reason"), [pytest.param(*rest, id=name) for name, *rest in CHANGES]
)
def test_an_impossible_tally_with_a_fitting_checksum_is_refused(
    change: Callable[[Any], object], reason: str, tmp_path: Path
) -> None:
    with pytest.raises(Refusal) as caught:
        parse_tally(forged(written(tmp_path), change))
    assert reason in caught.value.message


def test_groups_of_a_survey_that_declares_none_are_refused(tmp_path: Path) -> None:
    data = forged(written(tmp_path, PLAIN), lambda v: v["groups"][0].update(group="0-0"))
    with pytest.raises(Refusal, match="declares no groups, and the tally has one called '0-0'"):
        parse_tally(data)


def test_answers_that_no_number_of_reports_can_give_are_refused(tmp_path: Path) -> None:
    """Each report is about three questions, so that one answer more is one too many."""

    def add_one(value: Any) -> None:
        own = next(each for each in value["groups"][0]["questions"].values() if each["n"] < 40)
        own["n"] += 1
        own["counts"][0] += sum(own["counts"]) // (own["n"] - 1)

    data = written(tmp_path, ASKED_THREE)
    with pytest.raises(Refusal, match="40 reports about 3 questions each cannot have 121 answers"):
        parse_tally(forged(data, add_one))


def test_other_files_are_no_tallies(tmp_path: Path) -> None:
    for number, text in enumerate((b"", b"[]", b"{}", b'{"candor": 2}', b"\xff", b"[" * 50)):
        path = tmp_path / f"{number}.json"
        path.write_bytes(text)
        with pytest.raises(Refusal) as caught:
            read_tally(path)
        assert str(path) in caught.value.message


def test_a_huge_file_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tally.json"
    path.write_bytes(written(tmp_path))
    monkeypatch.setattr(tally_file, "MAX_BYTES", 100)
    with pytest.raises(Refusal, match="must be at most 100 bytes"):
        read_tally(path)
