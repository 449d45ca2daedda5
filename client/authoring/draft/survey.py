"""Turn a draft, the mapping in a survey file, into a `Survey` in all of its languages.

One pass over the draft finds every fault and keeps whatever is valid.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from client.authoring.draft.budget import split_budget
from client.authoring.draft.completion import by_codes
from client.authoring.draft.faults import Faults, field_of, in_order, question_of
from client.authoring.draft.fields import SURVEY
from client.authoring.draft.groups import ReadGroups, find_groups
from client.authoring.draft.kinds import question_fields
from client.authoring.draft.languages import DraftLanguages
from client.authoring.draft.question import ReadQuestion, question_texts, read_question, spare_id
from client.authoring.draft.reader import Fields
from client.core.completion import NO_PANEL
from client.core.primitives.refusal import Refusal, require
from client.core.survey import MAX_QUESTIONS, SURVEY_RULES, Survey
from client.core.translation import DEFAULT, TEXT_RULES, Translation, check_presence

_SETTINGS = (
    "slug",
    *TEXT_RULES,
    "delete_on",
    "ask_each_person",
    "access",
    "answer_from",
    "completion",
    "shuffle",
)
# The fields that every question's part of a total depends on.
_BUDGET = {("total_epsilon",), ("epsilon",), ("ask_each_person",)}
# Replacements for settings that do not fit the questions.
_REPLACED = {
    "ask_each_person": 0,
    "answer_from": None,
    "groups": None,
    "completion": NO_PANEL,
    "translations": (),
}


@dataclass(frozen=True)
class ReadDraft:
    """The result of one pass over a draft.

    If there are faults, the outline has stand-ins for the invalid parts, and no translations. It is
    None if no survey can be outlined, for example because there is no question.
    """

    faults: tuple[Refusal, ...]
    outline: Survey | None = None
    # The indices of the questions that are valid as written.
    valid: frozenset[int] = frozenset()
    # Whether the questions' parts of the total, and the sum of all epsilons, are as the author
    # wants.
    has_budget: bool = False
    has_total: bool = False

    @property
    def survey(self) -> Survey | None:
        """The survey that the draft describes; None while it has faults."""
        return None if self.faults else self.outline

    def valid_survey(self) -> Survey:
        """Return the survey, or raise its first fault."""
        for fault in self.faults:
            raise fault
        assert self.outline is not None
        return self.outline


def build_survey(draft: object, version: int = 1, test: bool = False) -> Survey:
    """Build the survey that a draft describes: choose mechanisms and compute thresholds."""
    return read_draft(draft, version, test).valid_survey()


def read_draft(draft: object, version: int = 1, test: bool = False) -> ReadDraft:
    """Read a whole draft, without trusting anything in it."""
    faults = Faults()
    with faults.noting():
        require(isinstance(draft, dict), "not_a_mapping", part="survey")
        assert isinstance(draft, dict)
        return _read(Fields(draft, SURVEY), {"version": version, "test": test}, faults)
    return ReadDraft(in_order(faults.found))


def _read(written: Fields, settings: dict[str, Any], faults: Faults) -> ReadDraft:
    parts, is_complete = _questions(written, faults)
    own = written.read_all(["language"], SURVEY_RULES, faults).get("language", DEFAULT)
    # Faults in translations do not affect the questions themselves.
    in_translations = Faults()
    written_groups = find_groups(written, faults)
    languages = _languages(own, [written, *written_groups.factors, *parts], in_translations)
    fields, drafts = (
        written.with_languages(languages),
        [part.with_languages(languages) for part in parts],
    )
    groups = written_groups.read(languages, faults)
    given = fields.read_all(_SETTINGS, SURVEY_RULES, faults)
    if "completion" in given:
        given["completion"] = by_codes(given["completion"], groups.groups)
    epsilons = split_budget(
        drafts,
        total=fields.take("total_epsilon"),
        default=fields.take("epsilon"),
        # A negative number is refused with the survey.
        asked=max(0, given.get("ask_each_person", 0)) or len(drafts),
        faults=faults,
    )
    questions: list[ReadQuestion] = []
    for draft, epsilon in zip(drafts, epsilons, strict=True):
        questions.append(read_question(draft, epsilon, questions, faults))
    fields.check_all_declared(faults)
    translations = [
        _translate(fields.in_language(language), given, drafts, questions, groups, in_translations)
        for language in languages.others
    ]
    usual = {name: SURVEY[name].stand_in for name in _SETTINGS}
    settings |= {**usual, **given, "language": own, "translations": ()}
    settings["groups"] = groups.groups
    if not faults and not in_translations:
        settings["translations"] = tuple(translations)
    outline, changed = _outline(settings, questions, faults) if is_complete else (None, set())
    at_fault = {field_of(fault.path) for fault in faults.found}
    weights = {path for path in at_fault if path[2:] == ("weight",)}
    has_budget = not weights and at_fault.isdisjoint(_BUDGET)
    valid = {index for index, item in enumerate(questions) if item.is_valid} - changed
    return ReadDraft(
        (*in_order(faults.found), *in_translations.found),
        outline,
        frozenset(valid if has_budget else ()),
        has_budget,
        has_budget and not any(path[2:] == ("epsilon",) for path in at_fault),
    )


def _questions(written: Fields, faults: Faults) -> tuple[list[Fields], bool]:
    """Return the fields of each question, and whether all questions could be read."""
    parts: list[Fields] = []
    with faults.noting():
        items = written.take("questions")
        require(isinstance(items, list), "bad_questions.list", "questions")
        # Checked before any question is read.
        few, count = len(items) <= MAX_QUESTIONS, len(items)
        require(few, "bad_questions.count", "questions", most=MAX_QUESTIONS, count=count)
        for index, item in enumerate(items):
            where = f"questions[{index}]"
            with faults.noting(("questions", index), where):
                require(isinstance(item, dict), "not_a_mapping", part=where)
                id = item.get("id")
                name = id[:40] if isinstance(id, str) and id else where
                parts.append(Fields(item, question_fields(item), ("questions", index), name))
        return parts, len(parts) == len(items)
    return parts, False


def _languages(own: str, parts: Sequence[Fields], faults: Faults) -> DraftLanguages:
    found: dict[str, str] = {}
    for part in parts:
        for language, place in part.find_languages(faults):
            found.setdefault(language, place)
    return DraftLanguages(own, {name: found[name] for name in sorted(found) if name != own})


def _translate(
    fields: Fields,
    own: dict[str, Any],
    drafts: Sequence[Fields],
    questions: Sequence[ReadQuestion],
    groups: ReadGroups,
    faults: Faults,
) -> Translation | None:
    """Read all texts in one of the other languages; return None if there is a fault."""
    language, found = fields.language, Faults()
    texts = fields.read_all(TEXT_RULES, SURVEY_RULES, found)
    for name in texts.keys() & own.keys():
        with found.noting():
            check_presence(own[name], texts[name], name)
    translated = [
        _translated_texts(question, draft.in_language(language), found)
        for question, draft in zip(questions, drafts, strict=True)
    ]
    factors = groups.texts(language, found)
    faults.adopt(found, language)
    asked = [item for item in translated if item]
    return None if found else Translation.of(language, texts, asked, factors)


def _translated_texts(read: ReadQuestion, fields: Fields, faults: Faults) -> dict[str, Any] | None:
    if not read.is_valid:
        # Texts that are missing in this language are reported even so.
        fields.check_texts(faults)
        return None
    texts = question_texts(fields, faults)
    with fields.noting(faults):
        if texts is not None:
            read.question.check_translation(texts)
    return texts


def _outline(
    settings: dict[str, Any], questions: Sequence[ReadQuestion], faults: Faults
) -> tuple[Survey | None, set[int]]:
    """Return the survey, and the indices of questions that are faulty only together with others."""
    asked = [item.question for item in questions]
    changed: set[int] = set()
    for _ in range(len(asked) + 2):
        try:
            return Survey(questions=tuple(asked), **settings), changed
        except Refusal as refusal:
            faults.add(refusal)
            name, index = "".join(map(str, refusal.path[:1])), question_of(refusal.path)
            if name in _REPLACED:
                # Translations do not fit a survey without its groups.
                settings |= {name: _REPLACED[name], "translations": ()}
            elif index >= 0:
                asked[index] = replace(asked[index], id=spare_id(index), show_if=None)
                changed.add(index)
            else:
                break
    return None, changed
