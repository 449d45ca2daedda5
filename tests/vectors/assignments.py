"""Vectors of assignments: which questions and which boxes a report is about (math 0.4, 11)."""

from collections.abc import Iterator

from client.core.assignment import Assignment, TicketWords, draw_assignment
from client.core.document import read_document
from client.core.primitives.words import below
from tests.vectors.document_kinds import SAMPLING, SURVEYS
from tests.vectors.document_parts import canonical, invited
from tests.vectors.documents import survey_vectors
from tests.vectors.tapes import Vector, tape_hex

# The last has the shape of one of an invited survey.
TICKETS = [
    "abc",
    "",
    "a|b",
    *(f"ticket-{number}" for number in range(40)),
    f"{'0' * 64}.0-2.{'1' * 512}",
]
DOCUMENTS = {
    **SURVEYS,
    "sampling_by_invitation": invited(SAMPLING),
}


def assignment_vectors() -> Iterator[Vector]:
    """Yield words of a ticket, then the documents, then the assignment of each ticket."""
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
        for number, ticket in enumerate(TICKETS):
            assignment = draw_assignment(read_document(canonical(tree)), ticket)
            yield {
                "name": f"asking_{name}_{number}",
                "document": f"document_{name}",
                "ticket": ticket,
                **as_json(assignment),
            }


def as_json(assignment: Assignment) -> Vector:
    return {"questions": list(assignment.questions), "boxes": assignment.boxes}
