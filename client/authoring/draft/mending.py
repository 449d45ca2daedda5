"""All faults of a draft, not only the first: what is refused is mended, and the rest looked at.

Mended in a copy that nobody keeps, with the plainest value that the field can have.
"""

import copy
from dataclasses import dataclass
from typing import Any

from client.authoring.draft.fields import SURVEY, question_fields
from client.authoring.draft.places import Path, path_of
from client.authoring.draft.reader import Fields
from client.authoring.draft.survey import TEXTS, DraftLanguages, build_survey
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey

MAX_FAULTS = 100
# Each fault costs another look at the whole draft: at a large one fewer looks are taken.
MAX_LOOKED_AT = 500_000
LEAST_LOOKS = 3
# A question that decides what is shown may be changed in these without changing its options.
_NO_OPTIONS = frozenset(["prompt", "epsilon", "weight", "mechanism", "max_bits", "show_if"])

Draft = dict[str, Any]


@dataclass(frozen=True)
class Mended:
    """Every fault with the part of the draft that it is about, as far as they can be told apart.

    The mended draft and its survey are for looking at what is not at fault; None where nothing
    helped.
    """

    faults: tuple[tuple[Path, Refusal], ...]
    draft: Draft
    survey: Survey | None


def mend(draft: Draft) -> Mended:
    mended = copy.deepcopy(draft)
    seen: dict[tuple[Path, str], Refusal] = {}
    for _ in range(min(MAX_FAULTS, max(LEAST_LOOKS, MAX_LOOKED_AT // _values(draft)))):
        try:
            return _found(seen, mended, build_survey(mended))
        except Refusal as refusal:
            path = path_of(refusal, mended)
            again = (path, refusal.code) in seen
            seen.setdefault((path, refusal.code), refusal)
            if not _mend(mended, path, refusal, again):
                break
    return _found(seen, mended, None)


def _found(seen: dict[tuple[Path, str], Refusal], draft: Draft, survey: Survey | None) -> Mended:
    faults = tuple((path, refusal) for (path, _), refusal in seen.items())
    return Mended(faults, draft, survey)


def _mend(draft: Draft, path: Path, refusal: Refusal, again: bool) -> bool:
    """Whether there is any use in looking on."""
    if refusal.code == "two_budgets":
        _drop_epsilons(draft)
        return not again
    if refusal.code == "missing_language" and not again:
        return _tell_in_all(draft, path)
    match path:
        case ("questions", int(index), *field):
            if again or not field:
                draft["questions"][index] = _plain_question(draft, index)
            else:
                _mend_question(draft, index, str(field[0]))
                _tell_in_all(draft, path)
            return True
        case (str(field),) if field != "questions" and not again:
            known = SURVEY.get(field)
            is_budget = field in ("epsilon", "total_epsilon")
            # Without its budget every question would lack one.
            plain = known.example if known and (known.required or is_budget) else None
            _set(draft, field, plain)
            _tell_in_all(draft, path)
            return refusal.code != "total_epsilon_too_large"
    return False


def _mend_question(draft: Draft, index: int, field: str) -> None:
    question = draft["questions"][index]
    known = question_fields(question).get(field)
    if field == "id":
        question["id"] = f"question_{index}"
    elif field == "epsilon":
        _set(question, field, None if "total_epsilon" in draft else "1")
    else:
        _set(question, field, known.example if known and known.required else None)
    if field not in _NO_OPTIONS:
        _show_always(draft, question.get("id"))


def _plain_question(draft: Draft, index: int) -> Draft:
    """In the place of one that cannot be helped."""
    old = draft["questions"][index]
    id = old.get("id") if isinstance(old, dict) else None
    _show_always(draft, id)
    budget = _weight(old) if "total_epsilon" in draft else {"epsilon": "1"}
    plain = {"id": id if isinstance(id, str) else f"question_{index}", "kind": "one_of", **budget}
    told = dict.fromkeys(_languages(draft), "?")
    labels = [dict.fromkeys(told, label) for label in "ab"]
    return {**plain, "prompt": told, "options": labels}


def _weight(question: object) -> Draft:
    """What the others' parts of the total depend on."""
    fields = question if isinstance(question, dict) else {}
    return {name: fields[name] for name in ("weight",) if name in fields}


def _show_always(draft: Draft, id: object) -> None:
    """Whatever was shown after options that are no longer there."""
    for question in draft["questions"]:
        rule = question.get("show_if") if isinstance(question, dict) else None
        if isinstance(rule, dict) and rule.get("question") == id:
            del question["show_if"]


def _drop_epsilons(draft: Draft) -> None:
    draft.pop("epsilon", None)
    for question in draft["questions"]:
        question.pop("epsilon", None)


def _tell_in_all(draft: Draft, path: Path) -> bool:
    """The text that lacks a language is told in all of them, in whatever words it has."""
    around: Any = draft
    for part in path[:-1]:
        around = around[part]
    name = path[-1] if path else ""
    if not isinstance(around, dict) or name not in around or name not in TEXTS:
        return False
    languages, value = _languages(draft), around[name]
    told = value if isinstance(value, list) else [value]
    complete = [_complete(text, languages) for text in told]
    around[name] = complete if isinstance(value, list) else complete[0]
    return True


def _complete(text: Any, languages: list[str]) -> dict[str, Any]:
    words = text if isinstance(text, dict) else {}
    usual = next(iter(words.values()), "?") if words else text
    return {language: words.get(language, usual) for language in languages}


def _languages(draft: Draft) -> list[str]:
    parts = [(draft, SURVEY)]
    parts += [(part, question_fields(part)) for part in draft["questions"] if type(part) is dict]
    written = [Fields(part, "", declared) for part, declared in parts]
    own = draft.get("language", "en")
    try:
        return [own, *DraftLanguages.of(own, written).others]
    except Refusal:
        return [own] if isinstance(own, str) else ["en"]


def _set(fields: Draft, name: str, value: Any) -> None:
    """A plain value, or none at all."""
    if value is None:
        fields.pop(name, None)
    else:
        fields[name] = list(value) if isinstance(value, tuple) else value


def _values(part: Any) -> int:
    """How much there is to look at."""
    if not isinstance(part, dict | list):
        return 1
    inner = part.values() if isinstance(part, dict) else part
    return 1 + sum(map(_values, inner))
