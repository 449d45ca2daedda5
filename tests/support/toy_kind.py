"""A kind that Candor does not ship, added through the registries: how often something happened.

It is what `docs/extending.md` asks of a new kind, all in one file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from client.authoring import schema
from client.authoring.draft.fields import TEXT, WHOLE, Field
from client.authoring.draft.kinds import KIND_DECLARATIONS, KindDeclaration
from client.authoring.xlsform.expressions import read_parameters
from client.authoring.xlsform.kinds import SHEET_KINDS, SHEET_TYPES, ReadKind, SheetKind, SheetType
from client.authoring.xlsform.sheets import Row
from client.core.kinds import KINDS, Kind
from client.core.primitives.refusal import require
from client.core.primitives.values import check_text


def _check_most(value: Any, field: str) -> None:
    require(type(value) is int and 1 <= value <= 9, "bad_scale.whole", field, value=value)


@dataclass(frozen=True, kw_only=True)
class HowOften(Kind):
    """Never, once, or more often: up to `most` times in a period."""

    period: str
    most: int

    name: ClassVar = "how_often"
    text_fields: ClassVar = (*Kind.text_fields, "period")
    rules: ClassVar = {**Kind.rules, "period": check_text, "most": _check_most}

    @property
    def own_labels(self) -> tuple[str, ...]:
        return tuple(f"{times} per {self.period}" for times in range(self.most + 1))


DECLARATION = KindDeclaration(
    HowOften,
    "How often",
    "How often do you run?",
    {
        "period": Field(TEXT, "The time that is looked at.", example="week"),
        "most": Field(WHOLE, "More often is not told apart.", example="3", column="parameters"),
    },
)


def _write(kind: HowOften, write_list: object) -> dict[str, str]:
    return {"type": "how_often", "parameters": f"most={kind.most}"}


def _read(row: Row, lists: Sequence[object]) -> ReadKind:
    shape = read_parameters(row.cells.get("parameters", "")) or {}
    return ReadKind(HowOften.name, {"most": shape["most"]})


SCRIPT = """
import { Kind } from "%(base)score/kinds/kind.js";
import { KINDS } from "%(base)score/kinds/registry.js";
import { checkText } from "%(base)score/primitives/values.js";
export { runVectors } from "%(runner)s";

class HowOften extends Kind {
  static kind = "how_often";
  static fields = [...Kind.fields, "period", "most"];
  static texts = [...Kind.texts, "period"];

  check() {
    checkText(this.period, "period");
  }

  get ownLabels() {
    return Array.from({ length: this.most + 1 }, (_, times) => `${times} per ${this.period}`);
  }
}

KINDS.set(HowOften.kind, HowOften);
"""


def add_toy_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the kind to every registry until the test is over."""
    monkeypatch.setitem(KINDS, HowOften.name, HowOften)
    monkeypatch.setitem(KIND_DECLARATIONS, HowOften.name, DECLARATION)
    monkeypatch.setitem(SHEET_KINDS, HowOften.name, SheetKind(_write))
    monkeypatch.setitem(SHEET_TYPES, HowOften.name, SheetType(0, _read))
    monkeypatch.setattr(schema, "survey_schema", schema.survey_schema.__wrapped__)
