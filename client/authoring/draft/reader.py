"""Read the declared fields of a draft in one of its languages."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Self

from client.authoring.draft.completion import read_completion
from client.authoring.draft.faults import Faults, Path
from client.authoring.draft.fields import NO_AND_YES, REQUIRED, Declared, is_switch, is_switched_on
from client.authoring.draft.languages import DraftLanguages
from client.core.kinds import Rule
from client.core.primitives.refusal import Refusal, require
from client.core.primitives.values import parse_decimal
from client.core.translation import CODE, DEFAULT
from client.wording.catalogue import Wording
from client.wording.languages import INTERFACE, best

INTEGER = re.compile(r"-?[0-9]{1,9}")


@dataclass(frozen=True)
class Fields:
    """A mapping from a survey file, with its declared fields and its path."""

    values: Mapping[str, Any]
    declared: Declared
    path: Path = ()
    # Its name in messages: a question's id, or else its position.
    where: str = "survey"
    languages: DraftLanguages = field(default_factory=lambda: DraftLanguages(DEFAULT))
    language: str = DEFAULT

    def noting(self, faults: Faults) -> AbstractContextManager[None]:
        """Collect a refusal of one of these fields, with its path, and continue."""
        # Messages about the survey's own fields need no name in front.
        return faults.noting(self.path, self.where if self.path else "")

    def with_languages(self, languages: DraftLanguages) -> Self:
        return replace(self, languages=languages, language=languages.own)

    def in_language(self, language: str) -> Self:
        return replace(self, language=language)

    def check_texts(self, faults: Faults) -> None:
        """Collect a fault for every text that lacks the language of these fields."""
        for name in self.declared.keys() & self.values.keys():
            with self.noting(faults):
                self.take(name)

    def take(self, name: str) -> Any:
        """Return a field as written, or its declared default."""
        declared = self.declared[name]
        value = self.values.get(name, declared.default)
        if value is REQUIRED:
            raise Refusal("missing_field", name, part=self.where)
        if declared.form.is_translatable and name in self.values:
            place = self._place(name)
            return self.languages.select(value, self.language, declared.form, name, place=place)
        return value

    def _place(self, name: str) -> str:
        return f"{self.where}.{name}" if self.path else name

    def find_languages(self, faults: Faults) -> Iterator[tuple[str, str]]:
        """Yield every language that a text is given in, with the place of that text."""
        for name in sorted(self.declared.keys() & self.values.keys()):
            value = self.values[name]
            texts = value if isinstance(value, list) else [value]
            if self.declared[name].form.is_translatable:
                found = (key for text in texts if isinstance(text, dict) for key in text)
                for language in dict.fromkeys(found):
                    with self.noting(faults):
                        known = isinstance(language, str) and CODE.fullmatch(language) is not None
                        place = self._place(name)
                        require(known, "bad_language.text", name, place=place, language=language)
                        yield language, place

    def read(self, name: str) -> Any:
        """Return a field's value as the survey has it: a number, a tuple of labels, or a text."""
        return _READ.get(self.declared[name].form.name, Fields.take)(self, name)

    def read_all(
        self, names: Iterable[str], rules: Mapping[str, Rule], faults: Faults
    ) -> dict[str, Any]:
        """Return the fields that can be read, and collect the faults of the others."""
        found = {}
        for name in names:
            with self.noting(faults):
                value = self.read(name)
                if name in rules:
                    rules[name](value, name)
                found[name] = value
        return found

    def read_integer(self, name: str) -> int:
        value = self.take(name)
        # A huge one cannot be written out.
        text = str(value) if type(value) is int and abs(value) < 10**9 else value
        whole = isinstance(text, str) and INTEGER.fullmatch(text) is not None
        require(whole, "not_an_integer.field", name, value=value)
        return int(text)

    def read_decimal(self, name: str) -> Decimal:
        return parse_decimal(self.take(name), name)

    def read_labels(self, name: str) -> tuple[Any, ...]:
        value = self.take(name)
        if value is NO_AND_YES:
            return (self.usual_label("no", name), self.usual_label("yes", name))
        require(isinstance(value, list | tuple), "bad_options.list", name)
        check_distinct(value, name)
        return tuple(value)

    def read_silence(self, name: str) -> Any:
        """Return the label of an option for silence: its usual one if switched on, or its own."""
        value = self.take(name)
        if is_switch(value):
            return self.usual_label(name, name) if is_switched_on(value) else ""
        # If this is neither a switch nor a text, the kind refuses it.
        return value

    def read_flag(self, name: str) -> bool:
        value = self.take(name)
        require(is_switch(value), "bad_flag", name)
        return is_switched_on(value)

    def read_day(self, name: str) -> Any:
        value = self.take(name)
        return self.declared[name].default if value == "" else value

    def usual_label(self, option: str, name: str) -> str:
        """Return the usual label of an option in the language of these fields."""
        known = self.knows_usual_labels
        require(known, "no_usual_label", name, option=option, language=self.language)
        return Wording(str(best([self.language], INTERFACE))).say(f"option.{option}")

    @property
    def knows_usual_labels(self) -> bool:
        return best([self.language], INTERFACE) is not None

    def check_all_declared(self, faults: Faults) -> None:
        """Collect a fault for every undeclared field, which is probably misspelt."""
        known = sorted(self.declared)
        for name in self.values:
            with self.noting(faults):
                if name not in self.declared:
                    part, field = self.where, str(name)[:40]
                    raise Refusal("unknown_field", field, part=part, name=name, known=known)


_READ: Mapping[str, Callable[[Fields, str], Any]] = {
    "whole": Fields.read_integer,
    "decimal": Fields.read_decimal,
    "labels": Fields.read_labels,
    "silence": Fields.read_silence,
    "flag": Fields.read_flag,
    "day": Fields.read_day,
    "completion": lambda fields, name: read_completion(fields.take(name)),
}


def check_distinct(labels: Sequence[Any], field: str) -> None:
    """Raise unless people can tell the labels apart; publishing cannot be undone."""
    texts = [label for label in labels if isinstance(label, str)]
    for label in texts:
        tidy = label == label.strip() and label not in ("~", "null")
        require(tidy, "bad_options.untidy", field, label=label)
    looks = Counter(map(_look, texts))
    for label in texts:
        require(looks[_look(label)] == 1, "bad_options.alike", field, label=label)


def _look(label: str) -> str:
    """Return what people see of a label, without case, invisible marks and variant encodings."""
    inked = "".join(sign for sign in label if unicodedata.category(sign) != "Cf")
    return unicodedata.normalize("NFKC", inked).casefold()
