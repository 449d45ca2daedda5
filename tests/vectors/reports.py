"""Vectors of the report body: good ones, and bad ones named after their fault."""

import hashlib
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from tests.vectors.document_groups import SURVEYS as GROUPED
from tests.vectors.document_kinds import SURVEYS
from tests.vectors.document_parts import DOCUMENT, Tree, ask, at, canonical
from tests.vectors.documents import as_field, survey_vectors
from tests.vectors.tapes import Vector

TWO_BITS: Tree = deepcopy(DOCUMENT)
at("0.1", 2254768441)(TWO_BITS)
ask(TWO_BITS, "q2", "0.2", 2361519036, "0.3")
DOCUMENTS = {"two_bits": TWO_BITS, **SURVEYS, **GROUPED}

# A good randomized answer for every mechanism, by the ids in `BY_MECHANISM`.
ALL: dict[str, Any] = {
    "q1": 1,
    "colour": [1, 3],
    "name": 100,
    "any": [[7, 1]],
    "few": [0, 14],
    "trust": [10, 0],
    "drinks": 90,
}
NOBODY: dict[str, Any] = dict.fromkeys(ALL)

GOOD: dict[str, list[dict[str, Any]]] = {
    "two_bits": [{"q1": first, "q2": second} for first in (0, 1) for second in (0, 1)],
    "all_mechanisms": [
        ALL,
        ALL | {"q1": 0, "colour": [0, 1], "name": 0, "any": [[0, 0]], "few": [0, 1]},
        ALL | {"trust": [1, 1], "drinks": 0, "name": 127, "few": [13, 14]},
    ],
    "sampling": [
        NOBODY | {"q1": 1, "colour": [0, 4], "name": 3},
        NOBODY | {"any": [[0, 1]], "trust": [1, 0], "drinks": 5},
        NOBODY | {"few": [3, 12], "q1": 0, "drinks": 90},
    ],
    "sampling_bits": [{"q1": None, "q2": 1, "q3": None}, {"q1": 0, "q2": None, "q3": None}],
    "skipping": [{"q1": 0, "follow_up": [3, 4], "boxes": [[0, 0], [4, 1]]}],
    "declining": [
        {"q1": 0, "income": 0, "hours": 0, "mood": 0},
        {"q1": 1, "income": 147, "hours": 75, "mood": 11},
    ],
    "several_boxes": [{"five": [[0, 1], [4, 1]], "all": [[0, 0], [1, 1], [2, 0]], "one": [[0, 1]]}],
}

# Per question of `all_mechanisms`: name of the fault, value, code of the refusal.
_OUT, _SIZE, _ORDER, _PAIR = (
    "option_out_of_range",
    "wrong_set_size",
    "unsorted_set",
    "wrong_pair",
)
WRONG_VALUES: dict[str, list[tuple[str, Any, str]]] = {
    "q1": [
        *(("two", 2, _OUT), ("negative", -1, _OUT), ("text", "1", _OUT), ("null", None, _OUT)),
        *(("boolean", True, _OUT), ("a_list", [1], _OUT), ("float", 1.0, "not_an_integer")),
        *(("nan", float("nan"), "not_an_integer"), ("16_digits", 10**15, "number_too_large")),
    ],
    "colour": [
        *(("one_option", [1], _SIZE), ("three_options", [0, 1, 2], _SIZE), ("empty", [], _SIZE)),
        *(("not_a_list", 1, _SIZE), ("null", None, _SIZE), ("an_object", {}, _SIZE)),
        *(("reversed", [3, 1], _ORDER), ("repeated", [3, 3], _ORDER), ("five", [1, 5], _OUT)),
        *(
            ("negative", [-1, 1], _OUT),
            ("boolean", [False, True], _OUT),
            ("null_in", [0, None], _OUT),
        ),
        *(("nested", [[0], [1]], _OUT), ("float", [0, 1.5], "not_an_integer")),
    ],
    "name": [
        *(("column_128", 128, _OUT), ("negative", -1, _OUT), ("a_list", [5], _OUT)),
        *(("null", None, _OUT), ("boolean", False, _OUT), ("text", "5", _OUT)),
        ("float", 5.0, "not_an_integer"),
    ],
    "any": [
        *(("two_pairs", [[1, 0], [7, 1]], _SIZE), ("no_pair", [], _SIZE), ("null", None, _SIZE)),
        *(("a_bit", 1, _SIZE), ("pair_itself", [7, 1], _PAIR), ("pair_of_one", [[7]], _PAIR)),
        *(("pair_of_three", [[7, 1, 0]], _PAIR), ("pair_an_object", [{}], _PAIR)),
        *(("box_8", [[8, 1]], _OUT), ("box_negative", [[-1, 1]], _OUT), ("bit_2", [[7, 2]], _OUT)),
        *(("bit_boolean", [[7, True]], _OUT), ("bit_null", [[7, None]], _OUT)),
        *(("box_text", [["7", 1]], _OUT), ("bit_float", [[7, 1.0]], "not_an_integer")),
    ],
    "few": [
        *(("one_item", [0], _SIZE), ("three_items", [0, 1, 2], _SIZE), ("null", None, _SIZE)),
        *(("item_15", [0, 15], _OUT), ("negative", [-1, 0], _OUT), ("boolean", [0, True], _OUT)),
        *(("reversed", [14, 0], _ORDER), ("repeated", [14, 14], _ORDER)),
        ("too_deep", [[[0]], 1], "too_deep"),
    ],
    "trust": [
        *(("limit_0", [0, 1], _OUT), ("limit_11", [11, 1], _OUT), ("bit_2", [1, 2], _OUT)),
        *(("bit_boolean", [1, False], _OUT), ("one_number", [1], _PAIR), ("null", None, _PAIR)),
        *(
            ("three_numbers", [1, 1, 1], _PAIR),
            ("an_integer", 5, _PAIR),
            ("pairs", [[1, 1]], _PAIR),
        ),
        ("limit_float", [1.5, 1], "not_an_integer"),
    ],
    "drinks": [
        *(("number_91", 91, _OUT), ("negative", -1, _OUT), ("null", None, _OUT)),
        *(("boolean", True, _OUT), ("a_list", [5], _OUT), ("float", 5.5, "not_an_integer")),
    ],
}


def report_vectors() -> Iterator[Vector]:
    """Yield the documents first; every other line names the one that it is a report for."""
    yield from survey_vectors(DOCUMENTS)
    for document, reports in GOOD.items():
        for number, randomized in enumerate(reports):
            vector = _vector(f"good_{document}_{number}", document, body(document, randomized))
            yield vector | {"randomized": randomized}
    for group in ("0-0", "1-2", "3-2"):
        data = body("groups_by_choice", {"q1": 1}, group=group)
        vector = _vector(f"good_group_{group}", "groups_by_choice", data)
        yield vector | {"randomized": {"q1": 1}, "group": group}
    by_link = _vector("good_group_by_link", "groups_by_link", body("groups_by_link", {"q1": 0}))
    yield by_link | {"randomized": {"q1": 0}}
    for name, document, data, code in _faults():
        yield _vector(f"bad_{name}", document, data) | {"refused": code}


def _vector(name: str, document: str, data: bytes) -> Vector:
    return {"name": f"report_{name}", "document": f"document_{document}", **as_field(data)}


def body(document: str, randomized: Any, fingerprint: str | None = None, **others: object) -> bytes:
    own = hashlib.sha256(canonical(DOCUMENTS[document])).hexdigest()
    return canonical({"fingerprint": fingerprint or own, "randomized": randomized, **others})


def _faults() -> Iterator[tuple[str, str, bytes, str]]:
    for id, faults in WRONG_VALUES.items():
        for fault, value, code in faults:
            data = body("all_mechanisms", ALL | {id: value})
            yield f"{id}_{fault}", "all_mechanisms", data, code
    for fault, document, randomized, code in _count_faults():
        yield fault, document, body(document, randomized), code
    for fault, data, code in _raw_faults():
        yield fault, "two_bits", data, code
    for fault, group in [
        *(("of_no_such_level", "4-0"), ("of_one_factor", "0"), ("of_three_factors", "0-0-0")),
        *(("empty", ""), ("null", None), ("a_number", 0), ("a_list", ["0-0"]), ("words", "North")),
        *(("with_a_blank", "0-0 "), ("with_a_line_break", "0-0\n"), ("with_zeros", "00-00")),
        ("in_other_digits", "٠-٠"),
    ]:
        data = body("groups_by_choice", {"q1": 1}, group=group)
        yield f"group_{fault}", "groups_by_choice", data, "bad_group"
    unsaid = body("groups_by_choice", {"q1": 1})
    yield "group_left_out", "groups_by_choice", unsaid, "missing_key"
    told = body("groups_by_link", {"q1": 1}, group="0")
    yield "group_that_the_link_knows", "groups_by_link", told, "unknown_key"
    yield (
        "group_nobody_asked_for",
        "two_bits",
        body("two_bits", GOOD["two_bits"][0], group="0"),
        ("unknown_key"),
    )


def _count_faults() -> Iterator[tuple[str, str, Any, str]]:
    """Yield reports about too many or too few questions."""
    count = "wrong_number_of_questions"
    yield "asked_nobody", "sampling", NOBODY, count
    yield "asked_two_of_three", "sampling", NOBODY | {"q1": 1, "name": 3}, count
    four = NOBODY | {"q1": 1, "name": 3, "drinks": 4, "trust": [1, 1]}
    yield "asked_four_of_three", "sampling", four, count
    yield "asked_everybody", "sampling", ALL, count
    left_out = {"q1": 1, "name": 3, "drinks": 4}
    yield "left_out_instead_of_null", "sampling", left_out, "missing_question"
    wrong = NOBODY | {"q1": 1, "name": 3, "drinks": 91}
    yield "asked_and_out_of_range", "sampling", wrong, "option_out_of_range"
    several = {"five": [[0, 1], [4, 1]], "all": [[0, 0], [1, 1], [2, 0]], "one": [[0, 1]]}
    for fault, id, value, code in [
        ("boxes_reversed", "five", [[4, 1], [0, 1]], "unsorted_set"),
        ("boxes_repeated", "five", [[4, 1], [4, 0]], "unsorted_set"),
        ("boxes_too_few", "all", [[0, 0], [1, 1]], "wrong_set_size"),
        ("boxes_too_many", "one", [[0, 1], [1, 1]], "option_out_of_range"),
    ]:
        yield fault, "several_boxes", several | {id: value}, code


def _raw_faults() -> Iterator[tuple[str, bytes, str]]:
    good = body("two_bits", {"q1": 0, "q2": 1})
    own = hashlib.sha256(canonical(TWO_BITS)).hexdigest()
    other = body("two_bits", {"q1": 0, "q2": 1}, "0" * 64)
    yield "wrong_fingerprint", other, "wrong_fingerprint"
    upper = body("two_bits", {"q1": 0, "q2": 1}, own.upper())
    yield "fingerprint_in_upper_case", upper, "wrong_fingerprint"
    yield "missing_question", body("two_bits", {"q1": 0}), "missing_question"
    more = body("two_bits", {"q1": 0, "q2": 1, "q3": 0})
    yield "unknown_question", more, "unknown_question"
    yield "no_questions", body("two_bits", {}), "missing_question"
    yield "randomized_a_list", body("two_bits", [0, 1]), "not_an_object"
    extra = canonical({"fingerprint": own, "randomized": {"q1": 0, "q2": 1}, "answer": 1})
    yield "unknown_key", extra, "unknown_key"
    yield "missing_key", canonical({"randomized": {"q1": 0, "q2": 1}}), "missing_key"
    yield "duplicate_key", good.replace(b'"q1":0', b'"q1":0,"q1":1'), "duplicate_key"
    yield "not_an_object", b"[]", "not_an_object"
    yield "malformed_json", good[:-1], "malformed_json"
    yield "empty", b"", "malformed_json"
    yield "only_spaces", b"    ", "malformed_json"
    yield "not_utf8", good[:-2] + b"\xff" + good[-2:], "not_utf8"
    yield "utf16", good.decode().encode("utf-16"), "not_utf8"
    yield "byte_order_mark", b"\xef\xbb\xbf" + good, "malformed_json"
    yield "too_deep", body("two_bits", {"q1": [[[0]]], "q2": 1}), "too_deep"
    yield "a_thousand_brackets", b"[" * 1000, "too_deep"
