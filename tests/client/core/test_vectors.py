"""The shared vectors: this client reproduces every line, and they are what the script writes."""

import base64
import hashlib
from decimal import Decimal
from functools import cache
from typing import Any

import pytest

from client.core.assignment import Assignment, TicketWords, check_assignment, draw_assignment
from client.core.conditions import read_show_if
from client.core.document import read_document
from client.core.mechanisms import MECHANISMS
from client.core.primitives import words
from client.core.primitives.channel import threshold
from client.core.primitives.refusal import Refusal
from client.core.primitives.words import below
from client.core.report import Report
from client.core.respond import respond
from client.core.survey import Survey
from client.wording.catalogue import Wording, plural_category
from client.wording.languages import best, direction
from client.wording.odds import describe_answer, describe_mark, describe_report, odds_sentences
from client.wording.order import draw_order
from tests.vectors.document_parts import QUESTION, asked, canonical
from tests.vectors.generate import FILES, FOLDER, lines, read
from tests.vectors.mechanisms import FROM_THE_MATHEMATICS
from tests.vectors.tapes import Tape, bern_edges
from tests.vectors.wordings import total_sentences

Vector = dict[str, Any]

MOST_BYTES = 450_000


def data_of(vector: Vector) -> bytes:
    if "base64" in vector:
        return base64.b64decode(vector["base64"])
    return str(vector["text"]).encode()


@cache
def surveys(file: str) -> dict[str, Survey]:
    """Return the documents that the other lines of a file refer to."""
    documents = [vector for vector in read(file) if vector["name"].startswith("document_")]
    documents = [vector for vector in documents if "refused" not in vector]
    return {vector["name"]: read_document(data_of(vector)) for vector in documents}


def named(file: str, prefix: str = "") -> list[Any]:
    return [
        pytest.param(vector, id=vector["name"])
        for vector in read(file)
        if vector["name"].startswith(prefix)
    ]


def all_documents(prefix: str) -> list[Any]:
    names = "documents access texts groups completions orders".split()
    return [vector for name in names for vector in named(f"{name}.jsonl", prefix)]


@pytest.mark.parametrize("file", FILES)
def test_regenerating_a_vector_file_changes_nothing(file: str) -> None:
    assert lines(FILES[file]()) == (FOLDER / file).read_text("ascii")


@pytest.mark.parametrize("file", FILES)
def test_every_vector_has_its_own_name_and_no_file_is_large(file: str) -> None:
    names = [vector["name"] for vector in read(file)]
    assert len(names) == len(set(names))
    assert (FOLDER / file).stat().st_size <= MOST_BYTES


def test_every_threshold_is_reproduced() -> None:
    for vector in read("thresholds.jsonl"):
        near, far = int(vector["near"]), int(vector["far"])
        found = threshold(Decimal(vector["eps"]), near, far, vector["draws"])
        assert found == vector["T"], vector["name"]


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
        mechanism = MECHANISMS[vector["mech"]](threshold=vector["T"], **vector["shape"])
        assert mechanism == type(mechanism).at(Decimal(vector["eps"]), **vector["shape"])
        report = mechanism.randomize(vector["x"], tape)
        assert (report, tape.used) == (vector["report"], vector["words_used"]), vector["name"]


@pytest.mark.parametrize("name", MECHANISMS)
def test_every_mechanism_has_hundreds_of_vectors_with_all_edges_of_its_coin(name: str) -> None:
    vectors = [vector for vector in read("mechanisms.jsonl") if vector["mech"] == name]
    assert len(vectors) > 250
    coins: dict[int, set[int]] = {}
    for vector in vectors:
        tape = [int(vector["tape"][i : i + 8], 16) for i in range(0, len(vector["tape"]), 8)]
        if not vector["name"].startswith("math"):
            # The coin is the first word, or the last if an index is drawn before it.
            coins.setdefault(vector["T"], set()).update([tape[0], tape[-1]])
    for T, tried in coins.items():  # noqa: N806 (the name in the mathematics)
        if name != "smp" or tried >= {0, T}:
            assert tried >= set(bern_edges(T))


def test_the_mechanism_vectors_hold_the_lines_of_the_mathematics() -> None:
    expected: list[tuple[object, int]] = [
        *((1, 1), (0, 1), ([0], 2), ([1, 6, 8, 9, 11, 14, 15, 16], 9), (7365, 2)),
        *(([[4, 1]], 2), ([[2, 1], [4, 0]], 4), ([4, 1], 2), (136, 2), ([9], 2)),
        *(([7, 11, 21], 4), ([4], 3)),
    ]
    lines_of_math = [v for v in read("mechanisms.jsonl") if v["name"].startswith("math_")]
    assert [(v["report"], v["words_used"]) for v in lines_of_math] == expected
    assert [v["tape"] for v in lines_of_math] == [line[-1] for line in FROM_THE_MATHEMATICS]


@pytest.mark.parametrize("vector", all_documents("document_good"))
def test_a_good_document_is_read_and_keeps_its_fingerprint(vector: Vector) -> None:
    survey = read_document(data_of(vector))
    assert survey.document == data_of(vector)
    assert survey.fingerprint == vector["fingerprint"]
    assert survey.report_bytes == vector["report_bytes"]
    assert hashlib.sha256(data_of(vector)).hexdigest() == vector["fingerprint"]


@pytest.mark.parametrize("vector", all_documents("document_bad"))
def test_a_bad_document_is_refused_for_its_fault(vector: Vector) -> None:
    with pytest.raises(Refusal) as caught:
        read_document(data_of(vector))
    assert caught.value.code == vector["refused"]


@pytest.mark.parametrize("vector", named("reports.jsonl", "report_good"))
def test_a_good_report_is_read_and_writes_the_same_bytes(vector: Vector) -> None:
    survey = surveys("reports.jsonl")[vector["document"]]
    report = Report.parse(data_of(vector), survey)
    assert report.randomized == vector["randomized"]
    assert report.group == vector.get("group", "")
    assert report.body == data_of(vector)
    assert Report.parse(report.wire(survey), survey) == report


@pytest.mark.parametrize("vector", named("reports.jsonl", "report_bad"))
def test_a_bad_report_is_refused_for_its_fault(vector: Vector) -> None:
    with pytest.raises(Refusal) as caught:
        Report.parse(data_of(vector), surveys("reports.jsonl")[vector["document"]])
    assert caught.value.code == vector["refused"]


def test_a_ticket_gives_the_same_words_and_indexes_everywhere() -> None:
    for vector in read("askings.jsonl"):
        if vector["name"].startswith("words_"):
            source = TicketWords(vector["ticket"], vector["question"])
            count = len(vector["words"]) // 8
            assert "".join(f"{source.word():08x}" for _ in range(count)) == vector["words"]
        if vector["name"].startswith("index_"):
            source = TicketWords(vector["ticket"], vector["question"])
            assert below(source, vector["bound"]) == vector["index"], vector["name"]


def test_the_asking_vectors_hold_the_line_of_the_mathematics() -> None:
    """Ticket abc, question q1, ten options: index 0 (math 0.4)."""
    (found,) = [v for v in read("askings.jsonl") if v["name"] == "index_abc_q1_10"]
    assert found["index"] == 0


@pytest.mark.parametrize("vector", named("askings.jsonl", "asking_"))
def test_a_ticket_decides_what_a_report_is_about(vector: Vector) -> None:
    survey = surveys("askings.jsonl")[vector["document"]]
    assignment = draw_assignment(survey, vector["ticket"])
    assert assignment == Assignment(tuple(vector["questions"]), vector["boxes"])


@pytest.mark.parametrize("vector", named("responses.jsonl", "respond_"))
def test_answers_and_a_tape_become_exactly_these_bytes(vector: Vector) -> None:
    survey = surveys("responses.jsonl")[vector["document"]]
    assignment = Assignment(tuple(vector["questions"]), vector["boxes"])
    if "refused" in vector:
        with pytest.raises(Refusal) as caught:
            respond(survey, assignment, vector["answers"], group=vector.get("group", ""))
        assert caught.value.code == vector["refused"]
        return
    tape = Tape.from_hex(vector["tape"])
    report = respond(survey, assignment, vector["answers"], tape, vector.get("group", ""))
    assert (report.wire(survey), tape.used) == (data_of(vector), vector["words_used"])
    assert len(data_of(vector)) == survey.report_bytes
    assert Report.parse(data_of(vector), survey) == report


def test_a_response_is_accepted_for_the_ticket_that_it_was_drawn_for() -> None:
    checked = 0
    for vector in read("responses.jsonl"):
        survey = surveys("responses.jsonl").get(vector.get("document", ""))
        if survey is not None and "refused" not in vector:
            ticket = f"ticket-{vector['name'].rpartition('_')[2]}"
            check_assignment(survey, ticket, Report.parse(data_of(vector), survey).randomized)
            checked += 1
    assert checked >= 48


@pytest.mark.parametrize("vector", named("orders.jsonl", "order_"))
def test_a_tape_decides_in_which_order_one_person_is_asked(vector: Vector) -> None:
    survey, tape = surveys("orders.jsonl")[vector["document"]], Tape.from_hex(vector["tape"])
    order = draw_order(survey, tape)
    assert (list(order.questions), tape.used) == (vector["questions"], vector["words_used"])
    drawn = {id: [list(one) for one in orders] for id, orders in order.options.items()}
    assert drawn == vector["options"]


@pytest.mark.parametrize("vector", named("conditions.jsonl"))
def test_conditions(vector: Vector) -> None:
    if "refused" in vector:
        with pytest.raises(Refusal) as caught:
            read_show_if(vector["show_if"])
        assert caught.value.code == vector["refused"]
        return
    rule = read_show_if(vector["show_if"])
    assert rule is not None
    assert rule.holds(vector["answers"]) is vector["shown"]
    assert rule.as_json() == vector["show_if"]


@pytest.mark.parametrize("vector", named("languages.jsonl"))
def test_a_language_is_chosen_and_written_the_same_way_everywhere(vector: Vector) -> None:
    if "wanted" in vector:
        assert best(vector["wanted"], vector["available"]) == vector["best"]
        return
    language = vector["language"]
    if "direction" in vector:
        assert direction(language) == vector["direction"]
    elif "categories" in vector:
        found = [plural_category(language, count) for count in vector["counts"]]
        assert found == vector["categories"]
    elif "counts" in vector:
        assert list(map(Wording(language).number, vector["counts"])) == vector["written"]
    else:
        figures = map(Decimal, vector["figures"])
        assert list(map(Wording(language).decimal, figures)) == vector["written"]


@pytest.mark.parametrize("vector", named("wording.jsonl"))
def test_people_read_the_same_sentences_everywhere(vector: Vector) -> None:
    wording = Wording(vector["language"])
    if "total" in vector:
        total = Decimal(vector["total"])
        assert total_sentences(vector["questions"], total, wording) == vector["says"]
        return
    before = [QUESTION] if vector["question"]["show_if"] else []
    question = read_document(canonical(asked(*before, vector["question"]))).questions[-1]
    if "answer" in vector and "report" in vector:
        mark = describe_mark(question, vector["answer"], vector["report"], wording)
        assert [mark] == vector["says"]
    elif "answer" in vector:
        assert [describe_answer(question, vector["answer"], wording)] == vector["says"]
    elif "report" in vector:
        assert [describe_report(question, vector["report"], wording)] == vector["says"]
    else:
        assert odds_sentences(question, wording) == vector["says"]
