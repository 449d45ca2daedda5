"""The planner's form: a question, a wish, and what is assumed. Sent by GET, it needs no token."""

from wtforms import Form, SelectField, StringField
from wtforms.fields.choices import SelectChoice

from client.refusal import Refusal

_KINDS = {
    "yes_no": "Yes or no",
    "one_of": "One of several",
    "any_of": "Any of several",
    "scale": "Rating scale",
    "number": "Number",
}
_WISHES = {
    "margin": "Respondents for a margin",
    "respondents": "Margin for so many respondents",
    "groups": "Respondents to tell two groups apart",
    "power": "Power of so many respondents in each group",
}
_GOALS = {"": "The usual one", "shares": "Shares", "mean": "Mean", "distribution": "Distribution"}


def _choice(label: str, choices: dict[str, str], first: str) -> SelectField:
    pairs = [SelectChoice(value, text) for value, text in choices.items()]
    return SelectField(label, choices=pairs, default=first)


def _entry(label: str, first: str, hint: str = "") -> StringField:
    return StringField(label, default=first, description=hint, render_kw={"autocomplete": "off"})


class PlannerForm(Form):  # type: ignore[misc]
    """Fields are text until they are asked for; what does not belong to a wish is ignored."""

    kind = _choice("Kind of question", _KINDS, "yes_no")
    epsilon = _entry("Epsilon", "1")
    options = _entry("Options", "5", "One or any of several.")
    at_most = _entry("At most so many ticked", "", "Any of several; empty for all.")
    lo = _entry("Lowest", "0", "Scales and numbers.")
    hi = _entry("Highest", "10", "Scales and numbers.")
    step = _entry("Step", "1", "Numbers.")
    goal = _choice("What the estimate is for", _GOALS, "")

    wish = _choice("What is wanted", _WISHES, "margin")
    margin = _entry("Margin", "0.03", "0.03 is three points, or three hundredths of a range.")
    respondents = _entry("Respondents", "1000")
    first = _entry("Share in one group", "0.30")
    second = _entry("Share in the other", "0.25")
    power = _entry("Power", "0.8")

    share = _entry("True share", "0.5", "One half is the hardest case.")
    confidence = _entry("Confidence", "0.95")
    epsilons = _entry("Epsilons in the figure", "0.25, 0.5, 1, 2, 4")

    def text(self, name: str) -> str:
        return str(self[name].data or "").strip()

    def number(self, name: str) -> float:
        """A decimal; whether it makes sense is for the planner to say."""
        try:
            return float(self.text(name))
        except ValueError:
            raise self._not_a_number(name) from None

    def whole(self, name: str) -> int:
        text = self.text(name).replace(",", "")
        if not (text.isascii() and text.isdigit() and len(text) < 18):
            raise self._not_a_number(name)
        return int(text)

    def _not_a_number(self, name: str) -> Refusal:
        label = self[name].label.text
        return Refusal("not_a_number", f"{label}: {self.text(name)[:40]!r} is no number", name)

    def blame(self, refusal: Refusal) -> None:
        """Put the reason beside the field that it is about, or beside the first."""
        known = refusal.field is not None and refusal.field in self
        self[refusal.field if known else "kind"].errors = [refusal.message]
