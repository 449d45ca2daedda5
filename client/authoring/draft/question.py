"""A question in a survey file becomes a `Question`, with the mechanism that the rule chooses."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from client.authoring.draft.fields import SHOW_IF_FIELDS, question_fields
from client.authoring.draft.mechanism_choice import candidates
from client.authoring.draft.reader import Fields
from client.core.kinds import KINDS, AnyOf, Cross, Kind, Number, OneOf, Scale, YesNo
from client.core.mechanisms import TwoLevel
from client.core.primitives.domain import Choice
from client.core.primitives.refusal import Refusal, require, within
from client.core.question import Question, ShowIf

MAX_MAX_BITS = 2**18


def build_question(fields: Fields, epsilon: Decimal, earlier: Sequence[Question]) -> Question:
    """The question that these fields describe."""
    with within(fields.where):
        id = fields.take("id")
    fields.where = str(id)[:40]
    with within(fields.where):
        show_if = _show_if(fields, earlier)
        kind = _kind(fields, hidden=show_if is not None)
        question = Question(
            id=id,
            prompt=fields.take("prompt"),
            kind=kind,
            epsilon=epsilon,
            mechanism=_mechanism(fields, kind, epsilon),
            show_if=show_if,
        )
        fields.check_all_declared()
    return question


def question_texts(question: Question, fields: Fields) -> dict[str, Any]:
    """The texts of a question in the language of these fields."""
    fields.where = question.id
    with within(question.id):
        kind = _kind(fields, hidden=question.show_if is not None)
        told = {name: getattr(kind, name) for name in kind.text_fields}
        return {"prompt": fields.take("prompt"), **told}


def deciding_options(values: dict[str, Any], language: str) -> tuple[str, ...]:
    """The options by which a question can decide whether a later one is shown; perhaps none."""
    fields = Fields(values, str(values.get("id"))[:40], question_fields(values), language)
    kind = _kind(fields, hidden="show_if" in values)
    return kind.labels if isinstance(kind.domain, Choice) else ()


def _kind(fields: Fields, hidden: bool) -> Kind:
    name = fields.take("kind")
    require(
        isinstance(name, str) and name in KINDS,
        "unknown_kind",
        f"kind must be one of {', '.join(KINDS)}, got {str(name)[:40]!r}",
        "kind",
    )
    # A question that skip logic can hide must be able to say so without saying so.
    can_say_so = hidden and name != Number.name
    silence = {
        "decline": fields.take_label_or_switch("decline"),
        "not_applicable": fields.take_label_or_switch("not_applicable", usually=can_say_so),
    }
    return _BUILDERS[name](fields, silence)


Silence = dict[str, str]


def _yes_no(fields: Fields, silence: Silence) -> Kind:
    options = _labels_or_no_and_yes(fields, "options")
    require(
        [str(label).casefold() for label in options[:1]] != [_usual_yes(fields).casefold()],
        "bad_options",
        "options of a yes_no question have the one for no first, as in [No, Yes]",
        "options",
    )
    return YesNo(options=options, **silence)


def _one_of(fields: Fields, silence: Silence) -> Kind:
    return OneOf(options=fields.take_labels("options"), **silence)


def _any_of(fields: Fields, silence: Silence) -> Kind:
    at_most = fields.take_integer("at_most")
    return AnyOf(options=fields.take_labels("options"), at_most=at_most, **silence)


def _scale(fields: Fields, silence: Silence) -> Kind:
    return Scale(
        lo=fields.take_integer("lo"),
        hi=fields.take_integer("hi"),
        lo_label=fields.take("lo_label"),
        hi_label=fields.take("hi_label"),
        goal=fields.take("goal"),
        **silence,
    )


def _number(fields: Fields, silence: Silence) -> Kind:
    return Number(
        lo=fields.take_decimal("lo"),
        hi=fields.take_decimal("hi"),
        step=fields.take_decimal("step"),
        unit=fields.take("unit"),
        goal=fields.take("goal"),
        **silence,
    )


def _cross(fields: Fields, silence: Silence) -> Kind:
    return Cross(
        row_prompt=fields.take("row_prompt"),
        rows=_labels_or_no_and_yes(fields, "rows"),
        column_prompt=fields.take("column_prompt"),
        columns=_labels_or_no_and_yes(fields, "columns"),
        **silence,
    )


def _labels_or_no_and_yes(fields: Fields, name: str) -> tuple[Any, ...]:
    if name in fields.values:
        return fields.take_labels(name)
    return (fields.usual_label("no"), fields.usual_label("yes"))


def _usual_yes(fields: Fields) -> str:
    """Only where the language is known; elsewhere authors must know what comes first."""
    return fields.usual_label("yes") if fields.knows_usual_labels else ""


_BUILDERS: dict[str, Callable[[Fields, Silence], Kind]] = {
    YesNo.name: _yes_no,
    OneOf.name: _one_of,
    AnyOf.name: _any_of,
    Scale.name: _scale,
    Number.name: _number,
    Cross.name: _cross,
}


def _mechanism(fields: Fields, kind: Kind, epsilon: Decimal) -> TwoLevel:
    """The rule's choice, unless the author names another one that fits."""
    max_bits = fields.take_integer("max_bits")
    require(
        1 <= max_bits <= MAX_MAX_BITS,
        "bad_max_bits",
        f"max_bits must be from 1 to {MAX_MAX_BITS}, got {max_bits}",
        "max_bits",
    )
    found = candidates(kind.domain, kind.goal, epsilon, max_bits)
    wanted = fields.take("mechanism") if "mechanism" in fields.values else found[0].name
    for mechanism in found:
        if mechanism.name == wanted:
            return mechanism
    names = " or ".join(mechanism.name for mechanism in found)
    raise Refusal(
        "mechanism_does_not_fit",
        f"mechanism must be {names}, got {str(wanted)[:40]!r}",
        "mechanism",
    )


def _show_if(fields: Fields, earlier: Sequence[Question]) -> ShowIf | None:
    """`show_if: {question: q1, is: [Yes]}`, options by label."""
    value = fields.take("show_if")
    if value is None:
        return None
    rule = Fields.of(value, f"{fields.where}.show_if", SHOW_IF_FIELDS)
    with within(rule.where):
        name, labels = rule.take("question"), rule.take("is")
        rule.check_all_declared()
    decider = next((question for question in earlier if question.id == name), None)
    if decider is None:
        raise Refusal("bad_show_if", f"show_if names {name!r}, no earlier question", "show_if")
    numbers = {label: number for number, label in enumerate(decider.options)}
    wanted = labels if isinstance(labels, list) else [labels]
    require(bool(wanted), "bad_show_if", "show_if must name at least one option", "show_if")
    for label in wanted:
        require(
            isinstance(label, str) and label in numbers,
            "bad_show_if",
            f"show_if: {name} has no option {str(label)[:40]!r}",
            "show_if",
        )
    return ShowIf(decider.id, tuple(sorted(numbers[label] for label in wanted)))
