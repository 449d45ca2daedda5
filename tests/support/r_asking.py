"""Questions to analyse.R about several exports at once, answered by one process of R."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from client.authoring.draft.survey import build_survey
from client.core.survey import Survey
from tests.support.exported import exported, output_of, unpack
from tests.support.groups import code, with_groups
from tests.support.r_language import RSCRIPT

# A report with the label of its group.
Rows = Sequence[tuple[str, dict[str, Any]]]
_SAY = r"""
say <- function(name, x) cat("said", exported_as, name,
  format(as.numeric(unlist(x)), digits = 15), "\n", sep = "\t")
refuse <- function(name, call) cat("refused", exported_as, name, gsub("\\s+", " ",
  tryCatch({ call; "" }, error = conditionMessage)), "\n", sep = "\t")
"""


@dataclass(frozen=True)
class Asked:
    """An export, files beside it, and lines of R that call `say` and `refuse`."""

    survey: Survey
    rows: Rows | list[tuple[str, str]]
    lines: Sequence[str]
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Said:
    """What R said about one export: lists of numbers, and sentences of refusal, by name."""

    folder: Path
    numbers: dict[str, list[float]]
    refused: dict[str, str]

    def number(self, name: str) -> float:
        (found,) = self.numbers[name]
        return found


def survey_of(**questions: dict[str, Any]) -> Survey:
    asked = [{"id": id, "prompt": f"{id}?", **fields} for id, fields in questions.items()]
    draft = {"slug": "tried", "title": "Tried", "questions": asked}
    return build_survey(with_groups(draft, *"abcdef"))


def counted(answers: Mapping[str, tuple[int, int]]) -> Rows:
    """Return reports to y, `yes` of n for each group."""
    return [(group, {"y": int(i < yes)}) for group, (yes, n) in answers.items() for i in range(n)]


def ask_all(asked: Mapping[str, Asked], place: Path) -> dict[str, Said]:
    """Unpack every export, and have R answer all lines."""
    script = [_SAY]
    found = {}
    for number, (name, one) in enumerate(asked.items()):
        folder = _unpacked(one, place / str(number))
        found[name] = Said(folder, {}, {})
        source = 'invisible(capture.output(source("analyse.R")))'
        script += [f'setwd("{folder}")', f'exported_as <- "{name}"', source, *one.lines]
    (place / "asked.R").write_text("\n".join(script))
    for line in output_of(place, (*RSCRIPT, "asked.R")).splitlines():
        kind, *rest = line.split("\t")
        if kind == "said":
            part, name, *numbers = rest
            found[part].numbers[name] = [_number(text) for text in numbers if text.strip()]
        elif kind == "refused":
            found[rest[0]].refused[rest[1]] = rest[2]
    return found


def _number(text: str) -> float:
    return math.nan if text.strip() == "NA" else float(text)


def _unpacked(one: Asked, folder: Path) -> Path:
    texts = [
        # Reports that are texts come with the codes of their groups.
        (group, report)
        if isinstance(report, str)
        else (code(one.survey, group), json.dumps(report, separators=(",", ":")))
        for group, report in one.rows
    ]
    unpack(exported(one.survey, sorted(texts)), folder)
    for name, text in one.files.items():
        (folder / name).write_text(text)
    return folder
