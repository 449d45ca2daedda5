"""The fields of a draft, taken as `survey_fields` declares them; any other is refused."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Self

from client.authoring.draft.fields import REQUIRED, Declared, question_fields
from client.core.primitives.refusal import Refusal, require
from client.core.primitives.values import parse_decimal
from client.core.translation import DEFAULT
from client.wording.catalogue import Wording
from client.wording.languages import INTERFACE, best

INTEGER = re.compile(r"-?[0-9]{1,9}")
_TRUE, _FALSE = ("true", "yes", "on"), ("false", "no", "off", "")


class Fields:
    """A mapping from a survey file, with the place it stands in for errors."""

    def __init__(
        self, values: dict[str, Any], where: str, declared: Declared, language: str = DEFAULT
    ) -> None:
        self.values = values
        self.where = where
        self.declared = declared
        self.language = language

    @classmethod
    def of(cls, value: object, where: str, declared: Declared) -> Self:
        if not isinstance(value, dict):
            raise Refusal("not_a_mapping", f"{where} must be a mapping of fields", where)
        return cls(value, where, declared)

    def take(self, name: str) -> Any:
        """The field as it is written, or as it is declared to be when absent."""
        value = self.values.get(name, self.declared[name].default)
        if value is REQUIRED:
            raise Refusal("missing_field", f"{self.where} needs the field {name!r}", name)
        return value

    def take_integer(self, name: str) -> int:
        value = self.take(name)
        text = str(value) if type(value) is int else value
        require(
            isinstance(text, str) and INTEGER.fullmatch(text) is not None,
            "not_an_integer",
            f"{self.where}: {name} must be a whole number, got {str(value)[:40]!r}",
            name,
        )
        return int(text)

    def take_decimal(self, name: str) -> Decimal:
        return parse_decimal(self.take(name), f"{self.where}: {name}", name)

    def take_labels(self, name: str) -> tuple[Any, ...]:
        value = self.take(name)
        require(
            isinstance(value, list | tuple),
            "bad_options",
            f"{self.where}: {name} must be a list of labels",
            name,
        )
        check_tellable(value, f"{self.where}: {name}", name)
        return tuple(value)

    def take_mappings(self, name: str) -> "list[Fields]":
        value = self.take(name)
        if not isinstance(value, list):
            raise Refusal("bad_questions", f"{name} must be a list of {name}", name)
        return [
            Fields.of(item, f"{name}[{i}]", question_fields(item)) for i, item in enumerate(value)
        ]

    def take_label_or_switch(self, name: str, usually: bool = False) -> Any:
        """An option that can be switched on with its usual label, or be given one of its own."""
        value = "true" if usually and name not in self.values else self.take(name)
        if is_switch(value):
            return self.usual_label(name) if is_switched_on(value) else ""
        # Whatever is neither a switch nor a text is refused by the kind.
        return value

    def usual_label(self, name: str) -> str:
        """What an option is called in the language of these fields, if nobody says otherwise."""
        require(
            self.knows_usual_labels,
            "no_usual_label",
            f"{self.where}: there is no usual label for {name} in {self.language!r}, "
            "please write one",
            name,
        )
        return Wording(str(best([self.language], INTERFACE))).say(f"option.{name}")

    @property
    def knows_usual_labels(self) -> bool:
        return best([self.language], INTERFACE) is not None

    def check_all_declared(self) -> None:
        """Refuse a field that nobody knows: it is probably misspelt."""
        for name in self.values:
            if name not in self.declared:
                known = ", ".join(sorted(self.declared))
                raise Refusal(
                    "unknown_field",
                    f"{self.where} has a field {str(name)[:40]!r}; the known ones are {known}",
                    str(name)[:40],
                )


def is_switch(value: object) -> bool:
    """Neither a label nor a text: an option is wanted, or not."""
    return is_switched_on(value) or str(value).lower() in _FALSE


def is_switched_on(value: object) -> bool:
    return str(value).lower() in _TRUE


def check_tellable(labels: Sequence[Any], what: str, field: str) -> None:
    """People must be able to tell labels apart; publishing cannot be undone."""
    texts = [label for label in labels if isinstance(label, str)]
    for label in texts:
        require(
            label == label.strip() and label not in ("~", "null"),
            "bad_options",
            f"{what}: the label {label[:40]!r} has spaces around it, or is YAML for nothing",
            field,
        )
    looks = Counter(map(_look, texts))
    for label in texts:
        require(
            looks[_look(label)] == 1,
            "bad_options",
            f"{what} must be different labels, but {label[:40]!r} stands twice",
            field,
        )


def _look(label: str) -> str:
    """What people see of a label: neither its case, nor marks without ink, nor how it is coded."""
    inked = "".join(sign for sign in label if unicodedata.category(sign) != "Cf")
    return unicodedata.normalize("NFKC", inked).casefold()
