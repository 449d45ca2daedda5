"""Small figures that the tests of plots draw."""

from collections.abc import Callable
from pathlib import Path

from estimators.plots.panels import (
    Curve,
    ErrorCurve,
    ErrorPanel,
    Estimated,
    EstimatePanel,
    Line,
    PricePanel,
    Surveys,
)
from estimators.plots.plotting import plot_errors, plot_estimates, plot_prices

SURVEYS = Surveys(repeats=50, respondents=1_000)
RESPONDENTS = (1_000.0, 10_000.0, 100_000.0)


def options(count: int) -> EstimatePanel:
    """Return options with falling shares and estimates slightly off."""
    shares = [2 * (count - i) / (count * (count + 1)) for i in range(count)]
    figures = (
        Estimated(f"Option {i + 1}", share, share + 0.002 * (-1) ** i, 0.01)
        for i, share in enumerate(shares)
    )
    return EstimatePanel(f"Which of {count}?", tuple(figures))


HOURS = EstimatePanel("How long?", (Estimated("mean", 30.0, 29.6, 2.0),), unit="hours")


def curve(epsilon: str, factor: float) -> ErrorCurve:
    return ErrorCurve(
        epsilon,
        measured=Line(RESPONDENTS, tuple(1.05 * factor / n**0.5 for n in RESPONDENTS)),
        promised=Line(RESPONDENTS, tuple(factor / n**0.5 for n in RESPONDENTS)),
        central=Line(RESPONDENTS, tuple(0.5 / n**0.5 for n in RESPONDENTS)),
        repeats=50,
    )


ERRORS = ErrorPanel("Ever driven?", (curve("0.5", 2), curve("1", 1), curve("2", 0.6)))
PRICES = PricePanel(
    "Ever driven?",
    (
        Curve("0.5", Line(RESPONDENTS, (10, 15, 16))),
        Curve("1", Line(RESPONDENTS, (4, 4.5, 4.6))),
    ),
)
PLOTS: dict[str, Callable[[Path], None]] = {
    "estimates": lambda path: plot_estimates(path, [options(3), HOURS], SURVEYS),
    "errors": lambda path: plot_errors(path, [ERRORS]),
    "prices": lambda path: plot_prices(path, [PRICES]),
}
