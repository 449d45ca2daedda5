"""The planner's chart: margins against respondents on logarithmic axes, for a template to draw."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

# Numbers of respondents on the axis and in the table.
TICKS = (100, 1_000, 10_000, 100_000)


@dataclass(frozen=True)
class Frame:
    """The SVG's viewBox, and where the axes begin and end in it."""

    width: int = 480
    height: int = 308
    left: int = 78
    right: int = 470
    top: int = 10
    bottom: int = 264


@dataclass(frozen=True)
class Curve:
    """The curve of one epsilon or of a direct question, and its margins at the ticks."""

    label: str
    points: str
    margins: tuple[str, ...]


@dataclass(frozen=True)
class Chart:
    """Everything that the template draws."""

    curves: tuple[Curve, ...]
    across: tuple[tuple[float, str], ...]
    up: tuple[tuple[float, str], ...]
    frame: Frame


def margin_chart(figures: dict[str, Any]) -> Chart:
    """Return the chart of one question's curves, as the planner computes them."""
    frame = Frame()
    respondents, unit = figures["respondents"], figures["unit"]
    lines = {f"epsilon {name}": values for name, values in figures["margins"].items()}
    lines["asked directly"] = figures["direct_margins"]
    everything = [value for values in lines.values() for value in values if value > 0]
    across = _Axis(respondents[0], respondents[-1], frame.left, frame.right)
    up = _Axis(min(everything), max(everything), frame.bottom, frame.top)
    shown = [next(i for i, n in enumerate(respondents) if n > 0.999 * tick) for tick in TICKS]
    curves = tuple(
        Curve(
            label,
            " ".join(
                f"{across.at(n):.1f},{up.at(value):.1f}"
                for n, value in zip(respondents, values, strict=True)
                if value > 0
            ),
            tuple(_margin(values[place], unit) for place in shown),
        )
        for label, values in lines.items()
    )
    return Chart(
        curves,
        tuple((across.at(tick), f"{tick:,}") for tick in TICKS),
        tuple((up.at(tick), _margin(tick, unit)) for tick in up.powers),
        frame,
    )


@dataclass(frozen=True)
class _Axis:
    """A logarithmic axis: maps values to coordinates."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        part = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + part * (self.end - self.start)

    @property
    def powers(self) -> Sequence[float]:
        """The powers of ten on the axis."""
        first, last = math.ceil(math.log10(self.low)), math.floor(math.log10(self.high))
        return [10.0**exponent for exponent in range(first, last + 1)]


def _margin(value: float, unit: str | None) -> str:
    if unit is not None:
        return f"{value:.3g} {unit}".strip()
    return f"{100 * value:.3g} %"
