"""Where a part of a draft stands in its file: the line of a YAML file, the cell of a workbook."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from client.authoring.draft.fields import SURVEY, question_fields
from client.authoring.draft.survey import build_survey
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey

# Such as ("questions", 2, "options"); () is the whole file.
Path = tuple[str | int, ...]
Places = Mapping[Path, str]


def place_of(path: Path, places: Places) -> str:
    """The place itself, or that of the nearest part around it: what is missing stands nowhere."""
    for length in range(len(path), -1, -1):
        if path[:length] in places:
            return places[path[:length]]
    return path_text(path)


def path_text(path: Path) -> str:
    """As in `questions[2].options`."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return "".join(parts).removeprefix(".")


def path_of(refusal: Refusal, draft: Mapping[str, Any]) -> Path:
    """The part of a draft that a refusal is about."""
    inner = [name for part in refusal.inside for name in part.split(".")[1:]]
    names = [*refusal.inside, *inner, *(refusal.field or "").split(".")]
    questions = draft.get("questions")
    for index, question in enumerate(questions if isinstance(questions, list) else []):
        id = str(question.get("id"))[:40] if isinstance(question, dict) else None
        if id in names or f"questions[{index}]" in names:
            known = question_fields(question)
            own = question if isinstance(question, dict) else {}
            field = _last(names, {**known, **own}, besides=str(id))
            return ("questions", index, *field)
    return _last(names, {**SURVEY, **draft})


def _last(names: list[str], known: Mapping[str, object], besides: str = "") -> Path:
    """The innermost name that is a field; a question may be called like one."""
    found = [name for name in names if name in known]
    if found and found[0] == besides:
        found = found[1:]
    return (found[-1],) if found else ()


@dataclass(frozen=True)
class SurveyFile:
    """A draft, and where each part of it stands."""

    draft: dict[str, Any]
    places: Places
    # What is wrong with the file itself, and what in it has no effect; of a workbook only.
    faults: tuple[Refusal, ...] = ()
    notes: tuple[Refusal, ...] = ()

    def sound_draft(self) -> dict[str, Any]:
        """The draft, if the file could be read to its end."""
        for fault in self.faults:
            raise fault
        return self.draft

    def build(self) -> Survey:
        """The survey; a refusal names its place in the file."""
        draft = self.sound_draft()
        try:
            return build_survey(draft)
        except Refusal as refusal:
            place = place_of(path_of(refusal, draft), self.places)
            message = f"{place}: {refusal.message}" if place else refusal.message
            raise Refusal(refusal.code, message, refusal.field, refusal.inside) from None
