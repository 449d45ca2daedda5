"""The shared vectors: this client reproduces every line, and they are what the script writes."""

import base64
import hashlib
from decimal import Decimal
from typing import Any

import pytest

from client import words
from client.channel import threshold
from client.document import read_document
from client.mechanisms import MECHANISMS
from client.refusal import Refusal
from client.report import Report
from client.words import WORD_RANGE, Tape
from tests.vectors.generate import FILES, FOLDER, lines, read

Vector = dict[str, Any]


def data_of(vector: Vector) -> bytes:
    if "base64" in vector:
        return base64.b64decode(vector["base64"])
    return str(vector["text"]).encode()


def named(file: str, prefix: str = "") -> list[Any]:
    return [
        pytest.param(vector, id=vector["name"])
        for vector in read(file)
        if vector["name"].startswith(prefix)
    ]


@pytest.mark.parametrize("file", FILES)
def test_regenerating_a_vector_file_changes_nothing(file: str) -> None:
    assert lines(FILES[file]()) == (FOLDER / file).read_text("ascii")


@pytest.mark.parametrize("file", FILES)
def test_every_vector_has_its_own_name(file: str) -> None:
    names = [vector["name"] for vector in read(file)]
    assert len(names) == len(set(names))


def test_every_threshold_is_reproduced() -> None:
    for vector in read("thresholds.jsonl"):
        assert threshold(Decimal(vector["eps"]), vector["near"], vector["far"]) == vector["T"]


def test_every_primitive_reproduces_its_result_and_uses_as_many_words() -> None:
    for vector in read("words.jsonl"):
        tape = Tape.from_hex(vector["tape"])
        if vector["primitive"] == "bern":
            result: object = words.bern(tape, vector["threshold"])
        elif vector["primitive"] == "below":
            result = words.below(tape, vector["bound"])
        else:
            result = words.subset(tape, vector["size"], vector["chosen"])
        assert (result, tape.used) == (vector["result"], vector["words_used"]), vector["name"]


def test_every_mechanism_reproduces_its_report_and_uses_as_many_words() -> None:
    for vector in read("mechanisms.jsonl"):
        tape = Tape.from_hex(vector["tape"])
        mechanism = MECHANISMS[vector["mech"]](threshold=vector["T"])
        report = mechanism.randomize(vector["x"], tape)
        assert (report, tape.used) == (vector["report"], vector["words_used"]), vector["name"]


def test_the_mechanism_vectors_hold_every_edge_of_both_intervals() -> None:
    seen: dict[int, set[tuple[int, int]]] = {}
    for vector in read("mechanisms.jsonl"):
        seen.setdefault(vector["T"], set()).add((vector["x"], int(vector["tape"], 16)))
    assert len(seen) > 40
    for T, tried in seen.items():  # noqa: N806 (the name in the mathematics)
        edges = {0, T - 1, T, min(T + 1, WORD_RANGE - 1), WORD_RANGE - 1}
        assert tried >= {(x, word) for x in (0, 1) for word in edges}


def test_the_mechanism_vectors_hold_the_lines_of_the_mathematics() -> None:
    found = [
        (vector["T"], vector["x"], vector["report"])
        for vector in read("mechanisms.jsonl")
        if vector["eps"] == "1" and vector["tape"] in ("bb26a7ad", "bb26a7ae") and vector["x"] == 1
    ]
    assert found == [(3139872686, 1, 1), (3139872686, 1, 0)]


@pytest.mark.parametrize("vector", named("documents.jsonl", "document_good"))
def test_a_good_document_is_read_and_keeps_its_fingerprint(vector: Vector) -> None:
    survey = read_document(data_of(vector))
    assert survey.document == data_of(vector)
    assert survey.fingerprint == vector["fingerprint"]
    assert hashlib.sha256(data_of(vector)).hexdigest() == vector["fingerprint"]


@pytest.mark.parametrize("vector", named("documents.jsonl", "document_bad"))
def test_a_bad_document_is_refused_for_its_fault(vector: Vector) -> None:
    with pytest.raises(Refusal) as caught:
        read_document(data_of(vector))
    assert caught.value.code == vector["refused"]


@pytest.mark.parametrize("vector", named("reports.jsonl", "report_good"))
def test_a_good_report_is_read_and_writes_the_same_bytes(vector: Vector) -> None:
    survey = read_document(data_of(read("reports.jsonl")[0]))
    report = Report.parse(data_of(vector), survey)
    assert report.randomized == vector["randomized"]
    assert report.body == data_of(vector)


@pytest.mark.parametrize("vector", named("reports.jsonl", "report_bad"))
def test_a_bad_report_is_refused_for_its_fault(vector: Vector) -> None:
    survey = read_document(data_of(read("reports.jsonl")[0]))
    with pytest.raises(Refusal) as caught:
        Report.parse(data_of(vector), survey)
    assert caught.value.code == vector["refused"]
