"""Vectors of the whole path from answers to the bytes that are sent."""

from collections.abc import Iterator
from typing import Any

from client.core.assignment import Assignment, draw_assignment
from client.core.document import read_document
from client.core.respond import respond
from client.core.survey import Survey
from tests.vectors.assignments import as_json
from tests.vectors.document_groups import SURVEYS as GROUPED
from tests.vectors.document_kinds import SURVEYS
from tests.vectors.document_parts import canonical
from tests.vectors.documents import survey_vectors
from tests.vectors.tapes import Recorder, Vector, tape_hex

# Answers at the extremes of every question in the vectors' surveys.
LOW: dict[str, Any] = {
    **{"q1": 0, "q2": 0, "q3": 0, "colour": 0, "name": 0, "any": [], "few": [], "trust": 0},
    **{"drinks": 0, "follow_up": 0, "boxes": [], "five": [], "all": [], "one": []},
    **{"income": 0, "hours": 0, "mood": 0},
}
HIGH: dict[str, Any] = {
    **{"q1": 1, "q2": 1, "q3": 1, "colour": 4, "name": 99, "any": list(range(8))},
    **{"few": [9, 10, 11], "trust": 10, "drinks": 60, "follow_up": 4, "boxes": [4]},
    **{"five": [0, 1, 2, 3, 4], "all": [0, 1, 2], "one": [0]},
    **{"income": 61, "hours": 42, "mood": 11},
}
MIDDLE: dict[str, Any] = LOW | {
    **{"colour": 2, "name": 50, "any": [3], "few": [5], "trust": 5},
    **{"income": 60, "hours": 41, "mood": 10},
}

WRONG: list[tuple[str, str, Any, str]] = [
    ("yes_no_two", "q1", 2, "option_out_of_range"),
    ("yes_no_boolean", "q1", True, "option_out_of_range"),
    ("yes_no_null", "q1", None, "option_out_of_range"),
    ("option_that_does_not_exist", "colour", 5, "option_out_of_range"),
    ("option_negative", "name", -1, "option_out_of_range"),
    ("box_that_does_not_exist", "any", [8], "option_out_of_range"),
    ("box_ticked_twice", "any", [1, 1], "unsorted_set"),
    ("boxes_unsorted", "any", [3, 1], "unsorted_set"),
    ("boxes_not_a_list", "any", 3, "wrong_set_size"),
    ("too_many_boxes", "few", [0, 1, 2, 3], "too_many_options"),
    ("level_too_high", "trust", 11, "option_out_of_range"),
    ("number_out_of_range", "drinks", 61, "option_out_of_range"),
    ("number_as_text", "drinks", "6", "option_out_of_range"),
]


def response_vectors() -> Iterator[Vector]:
    """Yield the documents, then answers and a tape with the exact bytes or the refusal."""
    yield from survey_vectors(SURVEYS | GROUPED)
    for document, tree in SURVEYS.items():
        survey = read_document(canonical(tree))
        for answers, label in [(LOW, "low"), (MIDDLE, "middle"), (HIGH, "high")]:
            for number in range(8):
                assignment = draw_assignment(survey, f"ticket-{number}")
                own = {id: answers[id] for id in assignment.questions}
                name = f"respond_{document}_{label}_{number}"
                yield response(name, document, survey, assignment, own, number)
    yield from _grouped()
    everything = read_document(canonical(SURVEYS["all_mechanisms"]))
    assignment = draw_assignment(everything, "abc")
    for fault, id, value, code in WRONG:
        answers = {asked: LOW[asked] for asked in assignment.questions} | {id: value}
        yield {
            "name": f"respond_bad_{fault}",
            "document": "document_all_mechanisms",
            **as_json(assignment),
            "answers": answers,
            "refused": code,
        }


def _grouped() -> Iterator[Vector]:
    """Yield responses of people who choose a group; a link's group is no part of a report."""
    everybody = Assignment(("q1",), {})
    for document, groups in [
        ("groups_by_choice", ["0-0", "2-1", "3-2"]),
        ("groups_by_link", ["0"]),
    ]:
        survey = read_document(canonical(GROUPED[document]))
        for number, group in enumerate(groups):
            name = f"respond_{document}_{number}"
            yield response(name, document, survey, everybody, {"q1": 1}, number, group)
    for fault, group in [("none", ""), ("unknown", "4-0"), ("in_words", "North")]:
        yield {
            "name": f"respond_bad_group_{fault}",
            "document": "document_groups_by_choice",
            **as_json(everybody),
            "answers": {"q1": 1},
            "group": group,
            "refused": "bad_group",
        }


def response(
    name: str,
    document: str,
    survey: Survey,
    assignment: Assignment,
    answers: Any,
    seed: int,
    group: str = "",
) -> Vector:
    source = Recorder([], seed=100 + seed)
    report = respond(survey, assignment, answers, source, group)
    return {
        **({"group": group} if group else {}),
        "name": name,
        "document": f"document_{document}",
        **as_json(assignment),
        "answers": answers,
        "tape": tape_hex(source.used),
        "text": report.wire(survey).decode(),
        "words_used": len(source.used),
    }
