"""The strict parser: any bytes give a value or a Refusal, and nothing else."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from client.core.document import read_document
from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal
from client.core.report import Report
from tests.client.core.test_document import SURVEY

REPORT = Report(SURVEY.fingerprint, {"q1": 1, "q2": 0})

integers = st.integers(-(10**14) + 1, 10**15 - 1)
plain_text = st.text(st.characters(codec="utf-8"))
values = st.recursive(
    st.none() | st.booleans() | integers | plain_text,
    lambda inner: st.lists(inner) | st.dictionaries(plain_text, inner),
    max_leaves=8,
)
loose_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def depth(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth, value), default=0)
    return 0


@given(values)
def test_what_is_written_canonically_is_read_back(value: Any) -> None:
    if depth(value) <= canonical.MAX_DEPTH:
        assert canonical.parse(canonical.canonical(value), 10**6) == value
    else:
        with pytest.raises(Refusal, match="nested more than 4 levels deep"):
            canonical.parse(canonical.canonical(value), 10**6)


@given(values)
def test_there_is_one_spelling_per_value(value: Any) -> None:
    again = json.loads(json.dumps(value))
    assert canonical.canonical(again) == canonical.canonical(value)


@settings(max_examples=300)
@given(st.binary(max_size=200))
@example(b"\xef\xbb\xbf{}")
@example(b"[" * 200)
@example(b'{"a":' * 100)
@example(b"1" * 200)
@example(b"-")
@example(b'"\\ud800"')
def test_arbitrary_bytes_raise_nothing_but_refusals(data: bytes) -> None:
    for read in (
        lambda: canonical.parse(data, 100),
        lambda: read_document(data),
        lambda: Report.parse(data, SURVEY),
    ):
        with suppress(Refusal):
            read()


def mutations(body: bytes) -> st.SearchStrategy[bytes]:
    """Generate the bytes with a few cuts, repeats and foreign bytes."""
    edits = st.tuples(
        st.integers(0, len(body)),
        st.integers(0, 6),
        st.binary(max_size=4) | st.sampled_from([b'"', b"{", b"}", b"1e9", b"-0", b"null", b","]),
    )

    def apply(changes: list[tuple[int, int, bytes]]) -> bytes:
        result = body
        for position, cut, insert in changes:
            result = result[:position] + insert + result[position + cut :]
        return result

    return st.lists(edits, min_size=1, max_size=4).map(apply)


@settings(max_examples=400)
@given(mutations(SURVEY.document))
def test_a_mutated_document_is_refused_or_is_a_sound_survey(data: bytes) -> None:
    try:
        survey = read_document(data)
    except Refusal:
        return
    assert survey.document == data
    assert survey.total_epsilon <= 10


@settings(max_examples=400)
@given(mutations(REPORT.body))
def test_a_mutated_report_is_refused_or_within_its_mechanism(data: bytes) -> None:
    try:
        report = Report.parse(data, SURVEY)
    except Refusal:
        return
    assert set(report.randomized) == {"q1", "q2"}
    assert all(type(item) is int and item in (0, 1) for item in report.randomized.values())


@settings(max_examples=300)
@given(st.data())
def test_a_document_with_any_value_replaced_is_refused_or_sound(
    data: st.DataObject,
) -> None:
    tree = json.loads(SURVEY.document)
    places = [tree, tree["questions"][0], tree["questions"][0]["mechanism"]]
    place = data.draw(st.sampled_from(places))
    place[data.draw(st.sampled_from(sorted(place)))] = data.draw(loose_values)
    body = json.dumps(tree, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    document = body.encode("utf-8", "surrogatepass")
    with suppress(Refusal):
        assert read_document(document).document == document


keys = st.sampled_from(["fingerprint", "randomized", "x"]) | st.text()


@settings(max_examples=300)
@given(st.dictionaries(keys, loose_values))
def test_any_object_as_a_report_raises_nothing_but_refusals(value: dict[str, Any]) -> None:
    with pytest.raises(Refusal):
        Report.parse(json.dumps(value).encode(), SURVEY)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b'{"a":1,"a":1}', "duplicate_key"),
        (b'{"b":{"a":1,"a":2}}', "duplicate_key"),
        (b"1.0", "not_an_integer"),
        (b"1e5", "not_an_integer"),
        (b"NaN", "not_an_integer"),
        (b"-Infinity", "not_an_integer"),
        (b"1000000000000000", "number_too_large"),
        (b"[[[[[]]]]]", "too_deep"),
        (b"\xff", "not_utf8"),
        ("1".encode("utf-16"), "not_utf8"),
        (b"", "malformed_json"),
        (b"01", "malformed_json"),
        (b"{'a':1}", "malformed_json"),
        (b'"\n"', "malformed_json"),
        (b" " * 101, "too_large"),
    ],
)
def test_what_the_standard_parser_would_accept_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(Refusal) as caught:
        canonical.parse(data, 100)
    assert caught.value.code == code


class _Compared(str):
    """A key that counts how often keys are compared."""

    times = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        _Compared.times += 1
        return str.__eq__(self, other)


def test_a_repeated_key_is_found_without_comparing_each_with_each() -> None:
    """A body of 64 kB with the last of 8,000 keys twice kept a thread busy for seconds."""
    _Compared.times = 0
    with pytest.raises(Refusal, match="the key '7999' appears twice"):
        canonical._no_duplicates([(_Compared(i), 0) for i in (*range(8000), 7999)])
    assert _Compared.times < 8000


def test_brackets_inside_texts_do_not_nest() -> None:
    text = '"[[[[[[\\"[[{{'
    assert canonical.parse(f'{{"a":{text}"}}'.encode(), 100) == {"a": '[[[[[["[[{{'}


def test_keys_must_be_just_the_known_ones() -> None:
    keys = frozenset(["a", "b"])
    assert canonical.exact_keys({"a": 1, "b": 2}, keys, "thing") == {"a": 1, "b": 2}
    with pytest.raises(Refusal, match="thing has no key 'b'"):
        canonical.exact_keys({"a": 1}, keys, "thing")
    with pytest.raises(Refusal, match="thing has the unknown key 'c'"):
        canonical.exact_keys({"a": 1, "b": 2, "c": 3}, keys, "thing")
    with pytest.raises(Refusal, match="thing must be a JSON object, got a list"):
        canonical.exact_keys([], keys, "thing")
