"""What can be drawn, as plain numbers: one panel is one question.

`unit` is None for shares, which are from 0 to 1 here and in per cent in the figure. For means it
names what they are measured in, such as "hours", and is empty if they have no unit. All panels of
curves have the same epsilons in the same order.
"""

from dataclasses import dataclass

from estimators.confidence import CONFIDENCE


@dataclass(frozen=True)
class Estimated:
    """One option or mean: truth, mean estimate, and the standard error promised to one survey."""

    label: str
    truth: float
    estimate: float
    standard_error: float


@dataclass(frozen=True)
class EstimatePanel:
    """All options of a question, or its one mean."""

    title: str
    figures: tuple[Estimated, ...]
    unit: str | None = None


@dataclass(frozen=True)
class Surveys:
    """How the estimates were made: how many surveys, and the confidence of their intervals."""

    repeats: int
    respondents: int
    confidence: float = CONFIDENCE


@dataclass(frozen=True)
class Result:
    """One estimate of a real survey with its interval, and the reported share if there is one."""

    label: str
    value: float
    low: float
    high: float
    reported: float | None = None


@dataclass(frozen=True)
class Column:
    """The estimated share of one level, without an interval."""

    level: float
    share: float


@dataclass(frozen=True)
class ResultPanel:
    """The results of one question, and the words for them in the reader's language.

    Options, or a mean, have a row each. Levels stand side by side in their order, with the five
    quantiles of a box plot below them.
    """

    title: str
    results: tuple[Result, ...]
    columns: tuple[Column, ...]
    # The unit of a level or of the mean; None for shares of options.
    unit: str | None
    estimated: str
    reported: str
    interval: str
    note: str


@dataclass(frozen=True)
class ForestRow:
    """One figure with its interval; rows of the same group look alike."""

    label: str
    value: float
    low: float
    high: float
    group: str = ""


@dataclass(frozen=True)
class ForestPanel:
    """A question in several groups, and the differences between them.

    The intervals of the groups hold by themselves, those of the differences together.
    """

    title: str
    groups: tuple[ForestRow, ...]
    differences: tuple[ForestRow, ...]
    unit: str | None = None
    confidence: float = CONFIDENCE


@dataclass(frozen=True)
class Line:
    """Values at increasing numbers of respondents."""

    respondents: tuple[float, ...]
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.respondents) != len(self.values):
            raise ValueError(
                f"a line has as many values as respondents, got {len(self.values)} "
                f"and {len(self.respondents)}"
            )


@dataclass(frozen=True)
class ErrorCurve:
    """Standard errors at one epsilon: measured over `repeats` surveys, promised, and a curator's.

    The promised lines may have more points than were measured, so that they bend smoothly.
    """

    epsilon: str
    measured: Line
    promised: Line
    central: Line
    repeats: int


@dataclass(frozen=True)
class ErrorPanel:
    """One share or mean, or the root mean square over a question's options."""

    title: str
    curves: tuple[ErrorCurve, ...]
    unit: str | None = None


@dataclass(frozen=True)
class Curve:
    """One line at one epsilon."""

    epsilon: str
    line: Line


@dataclass(frozen=True)
class PricePanel:
    """One share or mean: how many times the curator's respondents a local survey needs."""

    title: str
    curves: tuple[Curve, ...]


@dataclass(frozen=True)
class MarginPanel:
    """The half-width of the interval of one share or mean; `direct` is that without protection."""

    title: str
    curves: tuple[Curve, ...]
    direct: Line
    unit: str | None = None
