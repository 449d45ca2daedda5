"""The planner's form: a question, a wish, and what is assumed. Sent by GET, it needs no token."""

import re
from dataclasses import dataclass

from wtforms import Form, SelectField, StringField
from wtforms.fields.choices import SelectChoice

from client.authoring.draft.kinds import KIND_DECLARATIONS
from client.core.kinds import DISTRIBUTION, MEAN, SHARES
from client.core.primitives.refusal import Refusal, require
from estimators.confidence import CONFIDENCE
from estimators.planning.planner import SHAPES


@dataclass(frozen=True)
class Asked:
    """What can be wished for, in words, and the fields that it needs."""

    title: str
    fields: tuple[str, ...]


WISHES = {
    "margin": Asked("Respondents for a margin", ("margin", "share")),
    "respondents": Asked("Margin of so many respondents", ("respondents", "share")),
    "groups": Asked("Respondents for two groups", ("first", "second", "power")),
    "power": Asked("Power for two groups", ("respondents", "first", "second")),
}
# A table of two questions is planned as one question with as many options as it has cells.
_KINDS = {name: KIND_DECLARATIONS[name].title for name in SHAPES}
# Which field asks for a question's goal: not every kind has all of them.
GOALS = {"scale": "scale_goal", "number": "number_goal"}
# What every kind and every wish needs.
_ALWAYS = ("kind", "wish", "epsilon", "confidence", "epsilons")
# Where a reason belongs whose own field is not asked for.
_INSTEAD = {"share": "second", "groups": "wish", "n": "wish"}
# What the form calls the fields of a survey file.
_WORDS = {"lo": "the lowest", "hi": "the highest", "epsilons": "each"}


def needing() -> dict[str, dict[str, list[str]]]:
    """For the choices of a kind and of a wish: each field, and what has to be chosen for it."""
    return {
        "kind": _inverted({kind: tuple(shape_fields(kind).values()) for kind in SHAPES}),
        "wish": _inverted({name: wish.fields for name, wish in WISHES.items()}),
    }


def _inverted(fields: dict[str, tuple[str, ...]]) -> dict[str, list[str]]:
    names = {name for needed in fields.values() for name in needed}
    return {name: [each for each, needed in fields.items() if name in needed] for name in names}


def shape_fields(kind: str) -> dict[str, str]:
    """What describes a question of this kind, and the field of the form that asks for it."""
    return {name: GOALS[kind] if name == "goal" else name for name in SHAPES.get(kind, ())}


def _choice(label: str, choices: dict[str, str]) -> SelectField:
    """The first one is the usual one."""
    pairs = [SelectChoice(value, text) for value, text in choices.items()]
    return SelectField(label, choices=pairs, default=next(iter(choices)))


def _entry(label: str, first: str, hint: str = "") -> StringField:
    return StringField(label, default=first, description=hint, render_kw={"autocomplete": "off"})


def _figure(label: str, first: str, hint: str = "") -> StringField:
    keys = {"autocomplete": "off", "inputmode": "decimal"}
    return StringField(label, default=first, description=hint, render_kw=keys)


class PlannerForm(Form):  # type: ignore[misc]
    """Fields are text until they are asked for; what kind and wish do not need is ignored."""

    kind = _choice("Kind of question", _KINDS)
    options = _figure("Number of options", "5")
    at_most = _figure("At most so many ticked", "", "Empty for all of them.")
    lo = _entry("Lowest", "0")
    hi = _entry("Highest", "10")
    step = _figure("Step", "1")
    scale_goal = _choice("To be estimated", {SHARES: "The share of each level", MEAN: "The mean"})
    number_goal = _choice(
        "To be estimated", {MEAN: "The mean", DISTRIBUTION: "The whole distribution"}
    )
    epsilon = _figure("Epsilon", "1", "Of this question. A smaller one protects better.")

    wish = _choice("To be found", {name: item.title for name, item in WISHES.items()})
    margin = _figure("Margin, ±", "3", "In percentage points; of a mean, in per cent of its range.")
    respondents = _figure("Respondents", "1000", "Of two groups, in each of them.")
    first = _figure("Share in one group, %", "30")
    second = _figure("Share in the other, %", "25")
    power = _figure("Power, %", "80", "How surely the difference is found.")

    share = _figure("True share, %", "50", "Unknown before you ask; 50 is the hardest case.")
    confidence = _figure("Confidence, %", f"{100 * CONFIDENCE:g}")
    epsilons = _entry("Epsilons in the figure", "0.25, 0.5, 1, 2, 4")

    @property
    def asked(self) -> tuple[str, ...]:
        """The fields that the chosen kind and wish need."""
        kind, wish = self.text("kind"), WISHES.get(self.text("wish"))
        shape = tuple(shape_fields(kind).values())
        return (*shape, *(wish.fields if wish else ()), *_ALWAYS)

    def text(self, name: str) -> str:
        return str(self[name].data or "").strip()

    def number(self, name: str) -> float:
        try:
            return float(self.text(name).removesuffix("%"))
        except ValueError:
            raise self._not_a_number(name) from None

    def whole(self, name: str) -> int:
        text = self.text(name).replace(",", "")
        if not (text.isascii() and text.isdigit() and len(text) < 18):
            raise self._not_a_number(name)
        return int(text)

    def part(self, name: str, with_ends: bool = False) -> float:
        """A percentage as a part of 1."""
        value = self.number(name)
        require(
            0 < value < 100 or (with_ends and value in (0, 100)),
            "bad_percentage.with_ends" if with_ends else "bad_percentage",
            name,
            label=self._called(name),
            value=self.text(name),
        )
        return value / 100

    def _not_a_number(self, name: str) -> Refusal:
        return Refusal("not_a_number", name, label=self._called(name), value=self.text(name))

    def _called(self, name: str) -> str:
        """A field's label without its unit."""
        return str(self[name].label.text).partition(",")[0]

    def blame(self, refusal: Refusal) -> str:
        """Put the reason beside the field that it is about; the field's name."""
        # Some name the kind before the field.
        name = field = (refusal.field or "").rpartition(" ")[2]
        if field == "goal":
            field = GOALS.get(self.text("kind"), "kind")
        if field not in self.asked:
            field = _INSTEAD.get(field, "kind")
        word = _WORDS.get(name, name)
        # Shares are parts of 1 where they are compared, and per cent where they are typed.
        typed = self.text("second").removesuffix("%").strip()
        reason = refusal.sentence("planner", field=word, share=f"{typed} %")
        self[field].errors = [reason[:1].upper() + reason[1:]]
        return field

    def trouble(self, name: str) -> tuple[str, str]:
        """What a field is called and what is wrong with it, as one sentence that names it once."""
        reason = str(self[name].errors[0])
        named = re.match(rf"(the )?{re.escape(self._called(name))}\b", reason, re.IGNORECASE)
        if named is None:
            return str(self[name].label.text), f": {reason}"
        return named[0], reason[named.end() :]
