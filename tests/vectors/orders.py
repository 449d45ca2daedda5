"""Vectors of random order: documents, and the order that a device draws for one person."""

from collections.abc import Iterator

from client.core.document import read_document
from client.wording.order import Order, draw_order
from tests.vectors.document_orders import good_orders, order_faults
from tests.vectors.document_parts import Tree, canonical
from tests.vectors.documents import verdicts
from tests.vectors.tapes import Recorder, Vector, below_edges, tape_hex


def order_vectors() -> Iterator[Vector]:
    yield from verdicts(good_orders(), order_faults())
    for name, tree in good_orders():
        for number, head in enumerate([*below_edges(5), [2**31 - 1], [2**31], [7]]):
            yield _order(f"order_{name}_{number}", name, tree, head)


def _order(name: str, document: str, tree: Tree, head: list[int]) -> Vector:
    source = Recorder(head, seed=len(name))
    order = draw_order(read_document(canonical(tree)), source)
    return {
        "name": name,
        "document": f"document_good_{document}",
        "tape": tape_hex(source.used),
        **as_json(order),
        "words_used": len(source.used),
    }


def as_json(order: Order) -> Vector:
    options = {id: [list(one) for one in orders] for id, orders in order.options.items()}
    return {"questions": list(order.questions), "options": options}
