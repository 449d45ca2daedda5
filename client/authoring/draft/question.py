"""Turn a question in a survey file into a `Question`, with the mechanism that the rule chooses."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from typing import Any

from client.authoring.draft.conditions import UNSETTLED, read_show_if
from client.authoring.draft.faults import Faults
from client.authoring.draft.kinds import KIND_DECLARATIONS, declaration_of, question_fields
from client.authoring.draft.mechanism_choice import candidates
from client.authoring.draft.reader import Fields
from client.core.conditions import ShowIf
from client.core.kinds import Kind, YesNo
from client.core.mechanisms import TwoLevel
from client.core.primitives.channel import MIN_EPSILON
from client.core.primitives.refusal import Refusal, require
from client.core.question import OPTIONAL_QUESTION_TEXTS, QUESTION_RULES, Question

MAX_MAX_BITS = 2**18
_TEXTS = ("prompt", *OPTIONAL_QUESTION_TEXTS)
# The same mechanisms fit a question at any epsilon; the least cannot make a total too large.
_ANY_EPSILON = MIN_EPSILON
# A rule that cannot be read, because the question it depends on has faults.


@dataclass(frozen=True)
class ReadQuestion:
    """A question of a draft, or a valid stand-in if it has faults."""

    # The id as written, valid or not.
    id: object
    question: Question
    is_valid: bool
    # Whether its id and options are as written, so that later questions can depend on them.
    can_decide: bool


def read_question(
    fields: Fields, epsilon: Decimal | None, earlier: Sequence[ReadQuestion], faults: Faults
) -> ReadQuestion:
    """Read all fields of a question and collect every fault."""
    known = len(faults)
    own = fields.read_all(["id"], QUESTION_RULES, faults)
    rule: ShowIf | None = None
    with fields.noting(faults):
        deciders = [(item.id, item.question if item.can_decide else None) for item in earlier]
        rule = read_show_if(fields.take("show_if"), f"{fields.where}.show_if", deciders)
    kind = read_kind(fields, faults)
    own |= fields.read_all(_TEXTS, QUESTION_RULES, faults)
    own |= _order(fields, kind, faults)
    mechanism = _mechanism(fields, kind, epsilon, faults)
    if declaration_of(fields.values):
        fields.check_all_declared(faults)
    written, can_decide = fields.values.get("id"), kind is not None and "id" in own
    if len(faults) == known and kind and mechanism and epsilon and rule is not UNSETTLED:
        with fields.noting(faults):
            question = Question(
                kind=kind, epsilon=epsilon, mechanism=mechanism, show_if=rule, **own
            )
            return ReadQuestion(written, question, True, can_decide)
    stand_in = _stand_in(fields, own.get("id"), kind, epsilon)
    return ReadQuestion(written, stand_in, False, can_decide)


def _order(fields: Fields, kind: Kind | None, faults: Faults) -> dict[str, Any]:
    """Read how the options are shown; files name anchored options by their labels."""
    flags = [name for name in ("shuffle", "reverse") if name in fields.declared]
    order = fields.read_all(flags, QUESTION_RULES, faults)
    if "anchored" not in fields.values or "anchored" not in fields.declared or kind is None:
        return order
    with fields.noting(faults):
        written, options = fields.take("anchored"), list(kind.own_labels)
        wanted = written if isinstance(written, list) else [written]
        for label in wanted:
            require(label in options, "bad_anchored.option", "anchored", option=label)
        order["anchored"] = tuple(sorted({options.index(label) for label in wanted}))
    return order


def _stand_in(
    fields: Fields, id: str | None, kind: Kind | None, epsilon: Decimal | None
) -> Question:
    """Return a valid question in place of a faulty one, with as much of it as is valid."""
    epsilon, kind = epsilon or _ANY_EPSILON, kind or YesNo()
    mechanism = candidates(kind.domain, kind.goal, epsilon)[0]
    return Question(id or spare_id(int(fields.path[-1])), "?", kind, epsilon, mechanism)


def spare_id(index: int) -> str:
    """Return an id that no author would choose."""
    return f"{'z' * 26}{index}"


def read_kind(written: Fields, faults: Faults) -> Kind | None:
    """Read what can be answered; return None if there is a fault in it."""
    declaration = declaration_of(written.values)
    if declaration is None:
        with written.noting(faults):
            kind, known = written.values.get("kind"), list(KIND_DECLARATIONS)
            raise Refusal("unknown_kind.draft", "kind", known=known, kind=kind)
        return None
    if is_hidden(written) and "not_applicable" not in written.values:
        # A question that skip logic can hide needs an answer that hides this very fact.
        written = replace(written, values={**written.values, "not_applicable": "true"})
    names = [field.name for field in fields(declaration.kind)]
    values = written.read_all(names, declaration.kind.rules, faults)
    if len(values) == len(names):
        with written.noting(faults):
            if declaration.no_first:
                _check_no_first(written, values["options"])
            return declaration.kind(**values)
    return None


def is_hidden(fields: Fields) -> bool:
    """Return whether skip logic may hide the question."""
    return fields.values.get("show_if") is not None


def _check_no_first(fields: Fields, options: Sequence[str]) -> None:
    """Raise if "yes" comes first, in a language whose word for it is known."""
    if fields.knows_usual_labels:
        yes = fields.usual_label("yes", "options")
        require(options[0].casefold() != yes.casefold(), "bad_options.yes_first", "options")


def question_texts(fields: Fields, faults: Faults) -> dict[str, Any] | None:
    """Return a question's texts in the language of these fields; None if one has a fault."""
    own = fields.read_all(_TEXTS, QUESTION_RULES, faults)
    kind = read_kind(fields, faults)
    if kind is None or len(own) < len(_TEXTS):
        return None
    given = {name: text for name, text in own.items() if text}
    return {**given, **{name: getattr(kind, name) for name in kind.text_fields}}


def deciding_kind(values: dict[str, Any], language: str) -> Kind | None:
    """Return the kind of a question, whose answers decide on later ones; None if it has faults."""
    return read_kind(Fields(values, question_fields(values), language=language), Faults())


def _mechanism(
    fields: Fields, kind: Kind | None, epsilon: Decimal | None, faults: Faults
) -> TwoLevel | None:
    """Return the rule's choice, or the mechanism that the author names, if it fits."""
    with fields.noting(faults):
        max_bits = fields.read_integer("max_bits")
        fits = 1 <= max_bits <= MAX_MAX_BITS
        require(fits, "bad_max_bits", "max_bits", most=MAX_MAX_BITS, max_bits=max_bits)
        if kind is None:
            return None
        found = candidates(kind.domain, kind.goal, epsilon or _ANY_EPSILON, max_bits)
        wanted = fields.take("mechanism") if "mechanism" in fields.values else found[0].name
        for mechanism in found:
            if mechanism.name == wanted:
                return mechanism
        raise Refusal(
            "mechanism_does_not_fit.choice",
            "mechanism",
            fitting=" or ".join(mechanism.name for mechanism in found),
            titles=" or ".join(mechanism.title for mechanism in found),
            mechanism=wanted,
        )
    return None
