"""Read a published document into a `Survey`, without trusting anything in it.

The thresholds must deliver no more than the epsilon shown, the total must be the exact sum, the
caps must hold, and the bytes must be canonical, so that the fingerprint pins them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from decimal import Decimal
from typing import Any, TypeVar

from client.core.access import INVITED, TicketKeys
from client.core.completion import Completion
from client.core.conditions import read_show_if
from client.core.groups import Factor, Groups
from client.core.kinds import KINDS, Kind
from client.core.mechanisms import MECHANISMS, TwoLevel
from client.core.primitives import canonical, channel
from client.core.primitives.refusal import Refusal, require, within
from client.core.primitives.values import decimal_text, parse_decimal
from client.core.question import OPTIONAL_QUESTION_TEXTS, ORDER_KEYS, Question
from client.core.survey import FORMAT, Survey
from client.core.translation import DEFAULT, OPTIONAL_TEXT_RULES, TEXT_RULES, Translation

T = TypeVar("T")

MAX_DOCUMENT_BYTES = 2**21
MAX_DEPTH = 7

_SURVEY_KEYS = frozenset(
    "candor slug version title intro organizer delete_on ask_each_person access questions "
    "total_epsilon".split()
)
# Most documents lack these: some texts, what invited surveys have, groups, what a panel asks for,
# random order, the mark of a draft, languages besides English.
_OPTIONAL_TEXTS = frozenset(OPTIONAL_TEXT_RULES)
_OPTIONAL_KEYS = _OPTIONAL_TEXTS | {
    "ticket_keys",
    "answer_from",
    "groups",
    "completion",
    "shuffle",
    "test",
    "language",
    "translations",
}
_TRANSLATED_KEYS = frozenset(["title", "intro", "organizer", "questions"])
_QUESTION_KEYS = frozenset("id kind prompt epsilon mechanism show_if".split())
_FACTOR_KEYS = frozenset(["id", "prompt", "levels", "decline"])


def read_document(document: bytes) -> Survey:
    """Read and verify a published document."""
    value = canonical.parse(document, MAX_DOCUMENT_BYTES, "document", MAX_DEPTH)
    value = canonical.exact_keys(value, _SURVEY_KEYS, "document", _OPTIONAL_KEYS)
    require(
        type(value["candor"]) is int and value["candor"] == FORMAT,
        "unknown_format",
        "candor",
        format=value["candor"],
        known=FORMAT,
    )
    test = value.get("test", True)
    require(test is True, "bad_test", "test")
    require(isinstance(value["questions"], list), "bad_questions.list")
    questions = tuple(_read_question(item, at) for at, item in enumerate(value["questions"]))
    groups = _read_groups(value["groups"]) if "groups" in value else None
    survey = Survey(
        slug=value["slug"],
        version=value["version"],
        **{name: value[name] for name in TEXT_RULES if name in value},
        delete_on=value["delete_on"],
        ask_each_person=value["ask_each_person"],
        access=value["access"],
        answer_from=_read_answer_from(value),
        ticket_keys=_read_ticket_keys(value),
        completion=Completion.read(value.get("completion", {})),
        shuffle=value.get("shuffle", False),
        test="test" in value,
        language=value.get("language", DEFAULT),
        questions=questions,
        groups=groups,
        translations=_read_translations(value.get("translations", {}), questions, groups),
    )
    total = decimal_text(survey.total_epsilon)
    require(
        value["total_epsilon"] == total,
        "wrong_total",
        "total_epsilon",
        total=total,
        got=value["total_epsilon"],
    )
    # Checked last, so that a document with several faults gets a more helpful reason.
    require(survey.document == document, "not_canonical")
    return survey


def _read_question(value: object, at: int) -> Question:
    kind = _class(value, "kind", KINDS)
    own_keys = frozenset(field.name for field in fields(kind))
    optional = frozenset([*OPTIONAL_QUESTION_TEXTS, *ORDER_KEYS])
    item = canonical.exact_keys(value, _QUESTION_KEYS | own_keys, "question", optional)
    with within("questions", at, name=str(item["id"])[:40]):
        return Question(
            id=item["id"],
            prompt=item["prompt"],
            kind=_read_kind(kind, {key: item[key] for key in own_keys}),
            epsilon=channel.parse_epsilon(item["epsilon"]),
            mechanism=_read_mechanism(item["mechanism"]),
            show_if=read_show_if(item["show_if"]),
            **_tuples({name: item[name] for name in optional if name in item}),
        )


def _read_answer_from(value: Mapping[str, Any]) -> Any:
    day = value.get("answer_from")
    given = "answer_from" in value
    require(day is not None or not given, "bad_answer_from.day", "answer_from", value=day)
    return day


def _read_ticket_keys(value: Mapping[str, Any]) -> TicketKeys:
    """Read the keys of an invited survey, which has some for certain once it is published."""
    needed = value["access"] == INVITED
    require(("ticket_keys" in value) == needed, "bad_ticket_key.missing", "ticket_keys")
    keys = value.get("ticket_keys", {})
    require(isinstance(keys, dict), "not_an_object.plain", "ticket_keys")
    require(bool(keys) == needed, "bad_ticket_key.missing", "ticket_keys")
    return tuple(sorted(keys.items()))


def _read_groups(value: object) -> Groups:
    item = canonical.exact_keys(value, frozenset(["by", "factors"]), "groups")
    with within("groups"):
        require(isinstance(item["factors"], list), "bad_groups.list", "factors")
        factors = [_read_factor(factor, at) for at, factor in enumerate(item["factors"])]
        return Groups(item["by"], tuple(factors))


def _read_factor(value: object, at: int) -> Factor:
    item = canonical.exact_keys(value, _FACTOR_KEYS, "factor")
    with within("factors", at, name=str(item["id"])[:40]):
        return Factor(**_tuples(item))


def _read_translations(
    value: object, questions: Sequence[Question], groups: Groups | None
) -> tuple[Translation, ...]:
    """Read the translations; each must have exactly the texts that people read."""
    if not isinstance(value, dict):
        raise Refusal("not_an_object.plain", "translations")
    return tuple(
        _read_translation(language, value[language], questions, groups)
        for language in sorted(value)
    )


def _read_translation(
    language: str, value: object, questions: Sequence[Question], groups: Groups | None
) -> Translation:
    what = f"translations.{language[:40]}"
    keys = _TRANSLATED_KEYS | ({"groups"} if groups else set())
    item = canonical.exact_keys(value, keys, what, _OPTIONAL_TEXTS)
    texts = _read_texts(item["questions"], questions, what, "questions")
    factors = _read_texts(item["groups"], groups.factors, what, "groups") if groups else []
    return Translation.of(language, item, texts, factors)


def _read_texts(
    value: object, parts: Sequence[Question | Factor], what: str, field: str
) -> list[dict[str, Any]]:
    """Read the texts of all questions or all factors, by their ids."""
    by_id = canonical.exact_keys(value, frozenset(part.id for part in parts), f"{what}.{field}")
    texts = (
        canonical.exact_keys(by_id[part.id], frozenset(part.texts), f"{what}.{part.id}")
        for part in parts
    )
    return [_tuples(text) for text in texts]


def _tuples(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: tuple(value) if isinstance(value, list) else value for key, value in values.items()
    }


def _class(value: object, key: str, known: Mapping[str, type[T]]) -> type[T]:
    """Return the class that `value` names; the other keys it must have depend on that class."""
    what = "question" if key == "kind" else "mechanism"
    if not isinstance(value, dict):
        raise Refusal("not_an_object", what, kind=canonical.type_name(value))
    require(key in value, "missing_key", key, what=what)
    name = value[key]
    if not isinstance(name, str) or name not in known:
        if key == "kind":
            raise Refusal("unknown_kind", "kind", name=name)
        raise Refusal("unknown_mechanism", "mechanism", name=name)
    return known[name]


def _read_kind(kind: type[Kind], values: dict[str, Any]) -> Kind:
    plain = _tuples(values)
    decimals = [field.name for field in fields(kind) if field.type is Decimal]
    plain |= {key: parse_decimal(plain[key], key) for key in decimals}
    return kind(**plain)


def _read_mechanism(value: object) -> TwoLevel:
    mechanism = _class(value, "name", MECHANISMS)
    shape = frozenset(field.name for field in fields(mechanism) if field.default is MISSING)
    usual = frozenset(field.name for field in fields(mechanism)) - shape
    item = canonical.exact_keys(value, shape | {"name"}, "mechanism", usual)
    integers = {key: number for key, number in item.items() if key != "name"}
    for key in sorted(integers):
        require(
            type(item[key]) is int, "bad_shape.integer", key, kind=canonical.type_name(item[key])
        )
    return mechanism(**integers)
