"""Margins in words: in percentage points for a share, in the question's own unit for a mean."""

from client.core.mechanisms import TwoLevel
from client.core.question import Question
from estimators.planning.survey_plan import SILENT_PART, assumes_silence, range_of

# Keeps the sign and its figure on one line.
_PLUS_MINUS = "±\N{NO-BREAK SPACE}"
# What every plan says that assumes it, on every page.
SILENCE_ASSUMED = (
    f"Where a mean can be declined, {100 * SILENT_PART:g} % of the people are taken to do so."
)


def silence_assumed(*mechanisms: TwoLevel) -> str:
    """Return what a plan of these mechanisms assumes about people who decline; '' if nothing."""
    return SILENCE_ASSUMED if any(map(assumes_silence, mechanisms)) else ""


def margin_words(margin: float, unit: str | None) -> str:
    """Word a margin: of a share (unit None) in percentage points, of a mean in its unit (or '')."""
    if unit is None:
        return f"{_PLUS_MINUS}{_three_digits(100 * margin)} percentage points"
    return f"{_PLUS_MINUS}{_three_digits(margin)} {unit}".rstrip()


def _three_digits(value: float) -> str:
    """Write three digits that count, and never an exponent for a large number such as an income."""
    return f"{value:.3g}" if value < 999.5 else f"{value:,.0f}"


def margin_text(question: Question, margin: float) -> str:
    """Word a question's margin; for a mean, say that it is one."""
    if range_of(question.mechanism) is None:
        return margin_words(margin, None)
    return f"{margin_words(margin, question.unit)} of the mean"
