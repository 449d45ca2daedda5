"""The planner's form: a question, a target and assumptions. It is sent by GET without a token."""

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
class TargetChoice:
    """Something that can be planned for: its title, and the fields that it needs."""

    title: str
    fields: tuple[str, ...]


TARGETS = {
    "margin": TargetChoice("Respondents for a margin", ("margin", "share")),
    "respondents": TargetChoice("Margin for a sample size", ("respondents", "share")),
    "epsilon": TargetChoice(
        "Epsilon for a margin and a sample size", ("respondents", "margin", "share")
    ),
    "groups": TargetChoice("Respondents for two groups", ("first", "second", "power")),
    "power": TargetChoice("Power for two groups", ("respondents", "first", "second")),
}
# A table of two questions is planned as one question with an option for each cell.
_KINDS = {name: KIND_DECLARATIONS[name].title for name in SHAPES}
# Each kind has its own field for the goal, because the choices differ.
GOALS = {"scale": "scale_goal", "number": "number_goal"}
# Fields that every kind and every target needs.
_ALWAYS = ("kind", "wish", "epsilon", "confidence", "response", "epsilons")
# Where to show a reason whose own field is not on the page.
_INSTEAD = {"share": "second", "groups": "wish", "n": "wish"}
# The form's names for fields of a survey file.
_WORDS = {"lo": "the lowest", "hi": "the highest", "epsilons": "each"}


def needing() -> dict[str, dict[str, list[str]]]:
    """Return for each field the kinds, or the targets, that need it."""
    return {
        "kind": _inverted({kind: tuple(shape_fields(kind).values()) for kind in SHAPES}),
        "wish": _inverted({name: target.fields for name, target in TARGETS.items()}),
    }


def _inverted(fields: dict[str, tuple[str, ...]]) -> dict[str, list[str]]:
    names = {name for needed in fields.values() for name in needed}
    return {name: [each for each, needed in fields.items() if name in needed] for name in names}


def shape_fields(kind: str) -> dict[str, str]:
    """Map what describes a question of this kind to the form's fields for it."""
    return {name: GOALS[kind] if name == "goal" else name for name in SHAPES.get(kind, ())}


def _choice(label: str, choices: dict[str, str]) -> SelectField:
    """Return a select field whose first choice is the default."""
    pairs = [SelectChoice(value, text) for value, text in choices.items()]
    return SelectField(label, choices=pairs, default=next(iter(choices)))


def _entry(label: str, first: str, hint: str = "") -> StringField:
    return StringField(label, default=first, description=hint, render_kw={"autocomplete": "off"})


def _figure(label: str, first: str, hint: str = "") -> StringField:
    keys = {"autocomplete": "off", "inputmode": "decimal"}
    return StringField(label, default=first, description=hint, render_kw=keys)


class PlannerForm(Form):  # type: ignore[misc]
    """The form. Fields are text until they are read; those that are not needed are ignored."""

    kind = _choice("Kind of question", _KINDS)
    options = _figure("Number of options", "5")
    at_most = _figure("At most so many ticked", "", "Leave empty if people may tick all of them.")
    lo = _entry("Lowest", "0")
    hi = _entry("Highest", "10")
    step = _figure("Step", "1")
    scale_goal = _choice("What to estimate", {SHARES: "The share of each level", MEAN: "The mean"})
    number_goal = _choice(
        "What to estimate", {MEAN: "The mean", DISTRIBUTION: "The whole distribution"}
    )
    decline = _choice("Can people prefer not to say?", {"": "No", "true": "Yes"})
    epsilon = _figure("Epsilon", "1", "For this question. Smaller protects better.")

    wish = _choice("What to find", {name: item.title for name, item in TARGETS.items()})
    margin = _figure(
        "Margin, ±", "3", "In percentage points; for a mean, in per cent of its range."
    )
    respondents = _figure("Respondents", "1000", "With two groups, the number in each.")
    first = _figure("Share in one group, %", "30")
    second = _figure("Share in the other group, %", "25")
    power = _figure("Power, %", "80", "The chance of finding the difference.")

    share = _figure("True share, %", "50", "Unknown before you ask; 50 is the worst case.")
    confidence = _figure("Confidence, %", f"{100 * CONFIDENCE:g}")
    response = _figure("Response rate, %", "100", "The part of the invited people who respond.")
    epsilons = _entry("Epsilons in the figure", "0.25, 0.5, 1, 2, 4")

    @property
    def asked(self) -> tuple[str, ...]:
        """The names of the fields that the chosen kind and target need."""
        kind, target = self.text("kind"), TARGETS.get(self.text("wish"))
        shape = tuple(shape_fields(kind).values())
        return (*shape, *(target.fields if target else ()), *_ALWAYS)

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
        """Return a percentage as a part of 1; 0 and 100 are allowed only `with_ends`."""
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
        """Return a field's label without its unit."""
        return str(self[name].label.text).partition(",")[0]

    def show_refusal(self, refusal: Refusal) -> str:
        """Show a refusal at the field that it concerns; return the field's name."""
        # Some refusals name the kind before the field.
        name = field = (refusal.field or "").rpartition(" ")[2]
        if field == "goal":
            field = GOALS.get(self.text("kind"), "kind")
        if field not in self.asked:
            field = _INSTEAD.get(field, "kind")
        word = _WORDS.get(name, name)
        # Shares are compared as parts of 1 but typed as percentages.
        typed = self.text("second").removesuffix("%").strip()
        reason = refusal.sentence("planner", field=word, share=f"{typed} %")
        self[field].errors = [reason[:1].upper() + reason[1:]]
        return field

    def problem(self, name: str) -> tuple[str, str]:
        """Return what is wrong with a field as a sentence in two parts: its name, and the rest."""
        reason = str(self[name].errors[0])
        named = re.match(rf"(the )?{re.escape(self._called(name))}\b", reason, re.IGNORECASE)
        if named is None:
            return str(self[name].label.text), f": {reason}"
        return named[0], reason[named.end() :]
