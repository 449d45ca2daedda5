"""Turn a published survey back into a draft, or into the same survey at another epsilon."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_FLOOR, Decimal
from typing import Any

from client.authoring.draft.completion import completion_draft
from client.authoring.draft.conditions import write_show_if
from client.authoring.draft.mechanism_choice import DEFAULT_MAX_BITS, candidates
from client.authoring.draft.question import MAX_MAX_BITS
from client.authoring.draft.survey import build_survey
from client.core.access import OPEN
from client.core.groups import Factor
from client.core.primitives import channel
from client.core.primitives.refusal import require
from client.core.primitives.values import decimal_text
from client.core.question import Question
from client.core.survey import Survey
from client.core.translation import DEFAULT, TEXT_RULES

Draft = dict[str, Any]


def redraft(survey: Survey) -> Draft:
    """Return the draft that describes exactly this survey, checked by building it again."""
    draft = _settings(survey)
    if survey.groups:
        draft["groups"] = _groups(survey)
    draft["questions"] = [_question(survey, index) for index in range(len(survey.questions))]
    again = build_survey(draft, survey.version, survey.test)
    same = again == replace(survey, ticket_keys=())
    require(same, "not_the_same.copy", "slug", slug=survey.slug)
    return draft


def _settings(survey: Survey) -> Draft:
    """Return all fields except the questions; defaults are left out."""
    localizations = [survey.in_language(language) for language in survey.languages]
    texts = {
        name: _by_language([getattr(localized, name) for localized in localizations], survey)
        for name in TEXT_RULES
    }
    draft: Draft = {
        "slug": survey.slug,
        **{name: text for name, text in texts.items() if not _is_empty(text)},
        "delete_on": survey.delete_on,
        "language": survey.language,
        "ask_each_person": str(survey.ask_each_person),
        "access": survey.access,
        "answer_from": survey.answer_from,
        "completion": completion_draft(survey.completion, survey.groups),
        "shuffle": "true" if survey.shuffle else "",
    }
    usual: Draft = {"delete_on": "", "language": DEFAULT, "ask_each_person": "0"}
    usual |= {"access": OPEN, "answer_from": None, "completion": {}, "shuffle": ""}
    return {name: value for name, value in draft.items() if usual.get(name) != value}


def _question(survey: Survey, index: int) -> Draft:
    versions = [survey.in_language(language).questions[index] for language in survey.languages]
    own = versions[0]
    texts = {
        name: _by_language([item.texts[name] for item in versions], survey) for name in own.texts
    }
    settings = {name: _plain(value) for name, value in own.kind.as_json().items()}
    fields = {**settings, **texts, **_order(own), **_mechanism(own), **_show_if(own, survey)}
    given = {name: value for name, value in fields.items() if not _is_empty(value)}
    return {"id": own.id, "kind": own.kind.name, "epsilon": decimal_text(own.epsilon), **given}


def _order(question: Question) -> Draft:
    """Return how the options are shown, unless it is in their own order."""
    flags = {name: "true" for name in ("shuffle", "reverse") if getattr(question, name)}
    labels = [question.kind.own_labels[option] for option in question.anchored]
    return {**flags, **({"anchored": labels} if labels else {})}


def _groups(survey: Survey) -> Draft:
    groups = [survey.in_language(language).groups for language in survey.languages]
    versions = zip(*(one.factors for one in groups if one), strict=True)
    factors = [_factor(versions_of_one, survey) for versions_of_one in versions]
    return {"by": groups[0].by if groups[0] else "", "factors": factors}


def _factor(versions: Sequence[Factor], survey: Survey) -> Draft:
    own = versions[0]
    texts = {
        name: _by_language([item.texts[name] for item in versions], survey) for name in own.texts
    }
    given = {name: value for name, value in texts.items() if not _is_empty(value)}
    return {"id": own.id, **given}


def _by_language(texts: Sequence[Any], survey: Survey) -> Any:
    """Return a text by language, or plain if there is only one; of a list, each label."""
    if isinstance(texts[0], tuple):
        return [_by_language(labels, survey) for labels in zip(*texts, strict=True)]
    return texts[0] if len(texts) == 1 else dict(zip(survey.languages, texts, strict=True))


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, int) else value


def _is_empty(value: Any) -> bool:
    """Return whether leaving out this value means the same."""
    texts = value.values() if isinstance(value, dict) and "question" not in value else [value]
    return all(text in ("", None) for text in texts)


def _mechanism(question: Question) -> Draft:
    """Return nothing if the rule would choose the same mechanism; else its name and size limit."""
    domain, goal, epsilon = question.domain, question.kind.goal, question.epsilon
    own = question.mechanism
    for max_bits in (DEFAULT_MAX_BITS, own.bits, MAX_MAX_BITS):
        found = candidates(domain, goal, epsilon, max_bits)
        if own in found:
            room = {} if max_bits == DEFAULT_MAX_BITS else {"max_bits": str(max_bits)}
            return room if own == found[0] else {"mechanism": own.name, **room}
    return {}


def _show_if(question: Question, survey: Survey) -> Draft:
    rule = question.show_if
    return {} if rule is None else {"show_if": write_show_if(rule, survey)}


# Epsilons have at most six decimals.
FINEST_STEP = Decimal("0.000001")


def at_total_epsilon(survey: Survey, total: Decimal) -> Survey:
    """Return the survey with each epsilon scaled to a new total, and its mechanisms remade.

    Parts are rounded down, so that together they never spend more than the total.
    """
    # Multiply before dividing: half of 2 is 1, not 0.999999.
    epsilons = [
        (question.epsilon * total / survey.total_epsilon).quantize(FINEST_STEP, ROUND_FLOOR)
        for question in survey.questions
    ]
    questions = tuple(map(at_epsilon, survey.questions, epsilons))
    return replace(survey, questions=questions)


def at_epsilon(question: Question, epsilon: Decimal) -> Question:
    """Return the question at another epsilon: the rule's choice, or else its author's."""
    channel.parse_epsilon(decimal_text(epsilon), f"{question.id}.epsilon")
    was_first, *_ = candidates(question.domain, question.kind.goal, question.epsilon)
    found = candidates(question.domain, question.kind.goal, epsilon)
    by_rule = question.mechanism.name == was_first.name
    mechanism = next(
        (item for item in found if by_rule or item.name == question.mechanism.name), found[0]
    )
    return replace(question, epsilon=epsilon, mechanism=mechanism)
