"""Vectors of assignments: which questions and which boxes a report is about (math 0.4, 11)."""

from collections.abc import Iterator

from client.core.assignment import Assignment, TicketWords, draw_assignment
from client.core.document import read_document
from client.core.primitives.words import below
from tests.vectors.document_kinds import SAMPLING, SAMPLING_BITS, SEVERAL_BOXES, SURVEYS
from tests.vectors.document_parts import Tree, canonical
from tests.vectors.documents import survey_vectors
from tests.vectors.tapes import Recorder, Vector, below_edges, tape_hex

TICKETS = ["abc", "", "a|b", "0" * 64, *(f"ticket-{number}" for number in range(40))]
DOCUMENTS = {
    **SURVEYS,
    "sampling_bits_by_ticket": SAMPLING_BITS | {"drawn_by": "ticket"},
    "several_boxes_by_ticket": SEVERAL_BOXES | {"drawn_by": "ticket"},
    "sampling_by_device": SAMPLING | {"drawn_by": "device"},
}


def assignment_vectors() -> Iterator[Vector]:
    """Yield words of a ticket, then the documents, then the assignment of each ticket or tape."""
    for ticket, name in [("abc", "q1"), ("abc", ""), ("", "q1"), ("a|b", "q1"), ("é", "q1")]:
        words = TicketWords(ticket, name)
        # Two whole blocks and the first word of the third.
        tape = tape_hex([words.word() for _ in range(17)])
        yield {"name": f"words_{ticket}_{name}", "ticket": ticket, "question": name, "words": tape}
    for bound in [1, 2, 3, 10, 20000, 2**31 + 1, 2**32]:
        index = below(TicketWords("abc", "q1"), bound)
        arguments = {"ticket": "abc", "question": "q1", "bound": bound}
        yield {"name": f"index_abc_q1_{bound}", **arguments, "index": index}
    yield from survey_vectors(DOCUMENTS)
    for name, tree in DOCUMENTS.items():
        tickets = TICKETS if tree["drawn_by"] == "ticket" else TICKETS[:1]
        for number, ticket in enumerate(tickets):
            yield _assignment(f"asking_{name}_{number}", name, tree, ticket, [])
    # The device's own words, at the edges of their first draw.
    for name, bound in [("sampling_bits", 3), ("several_boxes", 4), ("sampling_by_device", 5)]:
        for number, head in enumerate(below_edges(bound)):
            yield _assignment(f"asking_{name}_edge_{number}", name, DOCUMENTS[name], "abc", head)


def _assignment(name: str, document: str, tree: Tree, ticket: str, head: list[int]) -> Vector:
    source = Recorder(head, seed=len(head))
    assignment = draw_assignment(read_document(canonical(tree)), ticket, source)
    return {
        "name": name,
        "document": f"document_{document}",
        "ticket": ticket,
        "tape": tape_hex(source.used),
        **as_json(assignment),
        "words_used": len(source.used),
    }


def as_json(assignment: Assignment) -> Vector:
    return {"questions": list(assignment.questions), "boxes": assignment.boxes}
