"""Vectors of the report body: good ones, and bad ones named for their fault."""

import hashlib
from collections.abc import Iterator
from typing import Any

from tests.vectors.channels import Vector
from tests.vectors.document_parts import canonical, changed
from tests.vectors.documents import GOOD, as_field

DOCUMENT = changed(GOOD["two_questions_exact_decimal_sum"])
FINGERPRINT = hashlib.sha256(DOCUMENT).hexdigest()


def body(randomized: Any, fingerprint: str = FINGERPRINT) -> bytes:
    return canonical({"fingerprint": fingerprint, "randomized": randomized})


def report_vectors() -> Iterator[Vector]:
    """The first line is the document that all the others are reports for."""
    yield {"name": "document", **as_field(DOCUMENT), "fingerprint": FINGERPRINT}
    for first in (0, 1):
        for second in (0, 1):
            randomized = {"q1": first, "q2": second}
            name = f"report_good_{first}_{second}"
            yield {"name": name, **as_field(body(randomized)), "randomized": randomized}
    for name, data, code in _faults():
        yield {"name": f"report_bad_{name}", **as_field(data), "refused": code}


def _faults() -> Iterator[tuple[str, bytes, str]]:
    good = body({"q1": 0, "q2": 1})
    yield "wrong_fingerprint", body({"q1": 0, "q2": 1}, "0" * 64), "wrong_fingerprint"
    upper = body({"q1": 0, "q2": 1}, FINGERPRINT.upper())
    yield "fingerprint_in_upper_case", upper, "wrong_fingerprint"
    yield "missing_question", body({"q1": 0}), "missing_question"
    yield "unknown_question", body({"q1": 0, "q2": 1, "q3": 0}), "unknown_question"
    yield "no_questions", body({}), "missing_question"
    for label, value in [("two", 2), ("negative", -1), ("text", "1"), ("null", None)]:
        yield f"option_{label}", body({"q1": value, "q2": 1}), "option_out_of_range"
    yield "option_boolean", body({"q1": True, "q2": 1}), "option_out_of_range"
    yield "option_a_list", body({"q1": [1], "q2": 1}), "option_out_of_range"
    yield "option_float", body({"q1": 1.0, "q2": 1}), "not_an_integer"
    yield "option_nan", body({"q1": float("nan"), "q2": 1}), "not_an_integer"
    yield "option_of_16_digits", body({"q1": 10**15, "q2": 1}), "number_too_large"
    yield "randomized_a_list", body([0, 1]), "not_an_object"
    extra = canonical({"fingerprint": FINGERPRINT, "randomized": {"q1": 0, "q2": 1}, "answer": 1})
    yield "unknown_key", extra, "unknown_key"
    yield "missing_key", canonical({"randomized": {"q1": 0, "q2": 1}}), "missing_key"
    yield "duplicate_key", good.replace(b'"q1":0', b'"q1":0,"q1":1'), "duplicate_key"
    yield "not_an_object", b"[]", "not_an_object"
    yield "malformed_json", good[:-1], "malformed_json"
    yield "empty", b"", "malformed_json"
    yield "not_utf8", good[:-2] + b"\xff" + good[-2:], "not_utf8"
    yield "utf16", good.decode().encode("utf-16"), "not_utf8"
    yield "byte_order_mark", b"\xef\xbb\xbf" + good, "malformed_json"
    yield "too_deep", body({"q1": [[[0]]], "q2": 1}), "too_deep"
    yield "a_thousand_brackets", b"[" * 1000, "too_deep"
