"""Good documents of every kind, and the surveys that the other vectors refer to."""

from collections.abc import Iterator

from tests.vectors.document_parts import (
    BY_MECHANISM,
    QUESTION,
    Tree,
    any_of,
    asked,
    cross,
    labels,
    mechanism,
    number,
    one_of,
    question,
    scale,
)

SHOWN_IF_YES = {"question": "q1", "options": [1]}
FOLLOW_UP = one_of(
    "follow_up",
    labels(3),
    "0.5",
    mechanism("ss", "0.5", options=5, size=2),
    decline="Prefer not to say",
    not_applicable="Does not apply",
    show_if=SHOWN_IF_YES,
)
HIDDEN_BOXES = any_of("boxes", 4, 2, "1", mechanism("smp", "1", options=5, asked=2)) | {
    "not_applicable": "Does not apply",
    "show_if": SHOWN_IF_YES,
}
DECLINED = number(
    "income", "mean", "1", mechanism("isw", "1", top=60, width=43, silent=1), decline="Pass"
)
HIDDEN_NUMBER = number(
    "hours",
    "distribution",
    "2",
    mechanism("isw", "2", top=40, width=11, silent=2),
    hi="20",
    step="0.5",
    unit="hours",
    decline="Rather not say",
    not_applicable="Does not apply",
    show_if=SHOWN_IF_YES,
)
DECLINED_SCALE = scale(
    "mood", "mean", "4", mechanism("isw", "4", top=10, width=0, silent=1), decline="Pass"
)

ALL_MECHANISMS = asked(*BY_MECHANISM.values())
SKIPPING = asked(QUESTION, FOLLOW_UP, HIDDEN_BOXES)
DECLINING = asked(QUESTION, DECLINED, HIDDEN_NUMBER, DECLINED_SCALE)
SAMPLING = asked(*BY_MECHANISM.values(), ask_each_person=3)
# null is longer than a bit, so the padding must leave room for it.
SAMPLING_BITS = asked(
    QUESTION,
    QUESTION | {"id": "q2"},
    QUESTION | {"id": "q3", "epsilon": "2", "mechanism": mechanism("rr", "2")},
    ask_each_person=1,
)
SEVERAL_BOXES = asked(
    any_of("five", 5, 0, "4", mechanism("smp", "4", options=5, asked=2)),
    any_of("all", 3, 0, "1.5", mechanism("smp", "1.5", options=3, asked=3)),
    any_of("one", 1, 0, "1", mechanism("smp", "1", options=1, asked=1)),
)
SURVEYS: dict[str, Tree] = {
    "all_mechanisms": ALL_MECHANISMS,
    "skipping": SKIPPING,
    "sampling": SAMPLING,
    "sampling_bits": SAMPLING_BITS,
    "several_boxes": SEVERAL_BOXES,
    "declining": DECLINING,
}


def good_kinds() -> Iterator[tuple[str, Tree]]:
    yield from SURVEYS.items()
    for name, item in BY_MECHANISM.items():
        yield f"only_{name}", asked(item)
    ss = mechanism("ss", "1", options=3, size=1)
    yield "yes_no_with_decline", asked(QUESTION | {"decline": "Rather not", "mechanism": ss})
    both = mechanism("ss", "1", options=4, size=1)
    silences = {"decline": "Rather not", "not_applicable": "n/a", "mechanism": both}
    yield "yes_no_with_both_silences", asked(QUESTION | silences)
    yield "yes_no_by_subset_selection", asked(QUESTION | {"mechanism": _ss("1", 2, 1)})
    yield "one_of_two_by_randomized_response", asked(one_of("a", labels(2), "1", _rr("1")))
    yield "one_of_two_by_hadamard", asked(one_of("a", labels(2), "1", _hr("1", 2)))
    yield "one_of_a_thousand", asked(one_of("a", labels(1000), "0.1", _hr("0.1", 1000)))
    yield "one_of_all_but_one", asked(one_of("a", labels(20), "0.01", _ss("0.01", 20, 19)))
    yield "any_of_one_box", asked(any_of("a", 1, 0, "1", mechanism("smp", "1", options=1, asked=1)))
    yield (
        "any_of_198_boxes",
        asked(_boxes(198, 0, "1", mechanism("smp", "1", options=198, asked=1))),
    )
    wide = mechanism("privset", "0.5", options=198, at_most=5, size=12)
    yield "any_of_few_of_198", asked(_boxes(198, 5, "0.5", wide))
    declined = mechanism("privset", "1", options=13, at_most=3, size=2)
    yield "any_of_with_decline", asked(_boxes(12, 3, "1", declined) | {"decline": "Rather not"})
    yield "scale_of_shares", asked(scale("a", "shares", "1", _ss("1", 11, 3)))
    yield "scale_with_decline", asked(scale("a", "shares", "1", _ss("1", 12, 3), decline="Pass"))
    yield (
        "scale_from_minus_three",
        asked(scale("a", "mean", "2", mechanism("isw", "2", top=6, width=3), lo=-3, hi=3)),
    )
    yield (
        "number_with_decimals",
        asked(number("a", "mean", "1", _rt("1", 5), lo="-0.5", hi="2", step="0.5", unit="hours")),
    )
    yield "number_finest_grid", asked(number("a", "mean", "1", _rt("1", 10000), hi="10000"))
    yield "cross_two_by_three", asked(cross("a", "1", _ss("1", 6, 2)))
    yield "cross_with_decline", asked(cross("a", "1", _ss("1", 7, 2), decline="Pass"))
    sides = {"rows": labels(12), "columns": [f"C{i}" for i in range(12)]}
    yield "cross_largest", asked(cross("a", "1", _ss("1", 144, 39), **sides))
    yield "ask_all_but_one", asked(QUESTION, QUESTION | {"id": "q2"}, ask_each_person=1)
    several = {"question": "q1", "options": [0, 1]}
    yield "show_if_several", asked(QUESTION, FOLLOW_UP | {"show_if": several})
    levels = {"question": "trust", "from": 0, "to": 3}
    trust = BY_MECHANISM["rt"]
    yield "show_if_levels", asked(trust, FOLLOW_UP | {"show_if": levels})
    for joined in ("all", "any"):
        rule = {joined: [several, levels]}
        yield f"show_if_{joined}", asked(QUESTION, trust, FOLLOW_UP | {"show_if": rule})


def _rr(epsilon: str) -> Tree:
    return mechanism("rr", epsilon)


def _ss(epsilon: str, options: int, size: int) -> Tree:
    return mechanism("ss", epsilon, options=options, size=size)


def _hr(epsilon: str, options: int) -> Tree:
    return mechanism("hr", epsilon, options=options)


def _rt(epsilon: str, top: int) -> Tree:
    return mechanism("rt", epsilon, top=top)


def _boxes(options: int, at_most: int, epsilon: str, protected_by: Tree) -> Tree:
    return any_of("a", options, at_most, epsilon, protected_by)


def boxes_of_every_size() -> Tree:
    """Return a survey whose reports would be too long: it asks about all of very many boxes."""
    all_boxes = mechanism("smp", "0.2", options=200, asked=200)
    names = [f"{chr(97 + i // 20)}{chr(97 + i % 20)}" for i in range(198)]
    silences = {"decline": "x", "not_applicable": "y"}
    item = question("q", "any_of", "0.2", all_boxes, options=names, at_most=0, **silences)
    return asked(*({**item, "id": f"q{i}"} for i in range(46)))
