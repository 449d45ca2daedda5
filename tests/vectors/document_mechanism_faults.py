"""Faults in a mechanism's threshold and shape, each with the code that refuses it."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from tests.vectors.document_parts import BY_MECHANISM, Tree, any_of, asked, mechanism

Fault = tuple[str, Tree, str]

_OWN = ("name", "threshold")


def mechanism_faults() -> Iterator[Fault]:
    """Yield name, document and code of the refusal."""
    yield from _threshold_faults()
    yield from _shape_faults()
    yield from _misfits()


def _with(which: str, /, **changes: Any) -> Tree:
    """Return the question of a mechanism with some of the mechanism's integers changed."""
    item = deepcopy(BY_MECHANISM[which])
    item["mechanism"] |= changes
    return asked(item)


def _threshold_faults() -> Iterator[Fault]:
    for name, item in BY_MECHANISM.items():
        best = item["mechanism"]["threshold"]
        yield f"threshold_leaks_{name}", _with(name, threshold=best + 1), "threshold_leaks"
        yield (
            f"threshold_plain_truth_{name}",
            _with(name, threshold=2**32),
            ("threshold_out_of_range"),
        )
        yield f"threshold_of_one_{name}", _with(name, threshold=1), "threshold_says_nothing"
    for name, wasteful in [("ss", "0.4994"), ("hr", "0.0998"), ("privset", "0.998")]:
        shape = _shape_of(name)
        yield (
            f"threshold_wasteful_{name}",
            _with(name, **mechanism(name, wasteful, **shape)),
            ("threshold_wasteful"),
        )
    # Two boxes at the full epsilon each would cost twice what is shown.
    split = mechanism("smp", "1", options=8, asked=2)
    alone = mechanism("smp", "1", options=8, asked=1)["threshold"]
    yield (
        "threshold_leaks_when_two_boxes_are_not_charged",
        asked(any_of("a", 8, 0, "1", split | {"threshold": alone})),
        "threshold_leaks",
    )
    # The threshold of k-ary randomized response is too large for a wider set.
    narrow = mechanism("ss", "0.5", options=5, size=1)["threshold"]
    yield (
        "threshold_says_nothing_of_another_size",
        _with("ss", threshold=narrow),
        ("threshold_says_nothing"),
    )
    wide = mechanism("ss", "0.5", options=5, size=3)["threshold"]
    yield "threshold_leaks_of_another_size", _with("ss", threshold=wide), "threshold_leaks"


def _shape_faults() -> Iterator[Fault]:
    wrong: list[tuple[str, str, Any]] = [
        *(("ss", "size", 0), ("ss", "size", 5), ("ss", "options", 1), ("ss", "options", 20001)),
        *(("hr", "options", 1), ("hr", "options", 20001)),
        *(("smp", "asked", 0), ("smp", "asked", 9), ("smp", "options", 201)),
        *(("privset", "size", 0), ("privset", "size", 13), ("privset", "at_most", 0)),
        *(("privset", "at_most", 13), ("rt", "top", 0), ("rt", "top", 10001)),
        *(("isw", "width", -1), ("isw", "width", 61), ("isw", "top", 0)),
        *(("isw", "silent", 3), ("isw", "silent", -1), ("isw", "silent", True)),
        *(("ss", "size", "2"), ("ss", "size", True), ("smp", "asked", None), ("rt", "top", [])),
    ]
    for name, field, value in wrong:
        label = "null" if value is None else "list" if value == [] else str(value).lower()
        kind = "text_" if isinstance(value, str) else ""
        yield f"bad_shape_{name}_{field}_{kind}{label}", _with(name, **{field: value}), "bad_shape"
    for name, field in [("ss", "size"), ("hr", "options"), ("smp", "asked"), ("isw", "width")]:
        item = deepcopy(BY_MECHANISM[name])
        del item["mechanism"][field]
        yield f"mechanism_missing_{name}_{field}", asked(item), "missing_key"
    # What is absent must not be written as well: a document has one spelling.
    yield "mechanism_with_no_silence_written", _with("isw", silent=0), "not_canonical"
    yield "mechanism_of_another_shape", _with("rt", width=3), "unknown_key"


def _misfits() -> Iterator[Fault]:
    """Yield valid mechanisms in questions that they do not fit."""
    for name, field, value in [
        *(("ss", "options", 6), ("hr", "options", 99), ("smp", "options", 7)),
        *(("privset", "options", 13), ("privset", "at_most", 2), ("rt", "top", 9)),
        *(("isw", "top", 61), ("isw", "silent", 1)),
    ]:
        shape = _shape_of(name)
        epsilon = BY_MECHANISM[name]["epsilon"]
        other = mechanism(name, epsilon, **(shape | {field: value}))
        yield (
            f"mechanism_does_not_fit_{name}_{field}",
            _with(name, **other),
            ("mechanism_does_not_fit"),
        )
    for name, item in BY_MECHANISM.items():
        # Each question gets the mechanism of the next one, whose domain differs.
        names = list(BY_MECHANISM)
        other_name = names[(names.index(name) + 3) % len(names)]
        other = mechanism(other_name, item["epsilon"], **_shape_of(other_name))
        yield (
            f"mechanism_does_not_fit_{name}_question_with_{other_name}",
            asked(item | {"mechanism": other}),
            "mechanism_does_not_fit",
        )
    boxes = mechanism("privset", "1", options=8, at_most=3, size=1)
    yield (
        "mechanism_does_not_fit_boxes_without_limit",
        asked(any_of("a", 8, 0, "1", boxes)),
        ("mechanism_does_not_fit"),
    )


def _shape_of(name: str) -> dict[str, int]:
    return {key: value for key, value in BY_MECHANISM[name]["mechanism"].items() if key not in _OWN}
