"""What a cross-table says in words: how strong the relation is, its test, and better designs."""

from collections.abc import Callable

from estimators.cross.advice import Advice
from estimators.cross.association import Strength
from estimators.cross.table import CrossTable, Ratio

# Variances whose ratio is nearer to 1 than this are about the same.
WORTHWHILE = 1.05
FEW = "Roughly: fewer than 5 reports support some cell; errors and intervals may be too small."


def sentences(table: CrossTable) -> list[str]:
    """Return what the table says about the relation of both questions, in plain words."""
    found = []
    if table.few_reports:
        found.append(FEW)
    if table.is_two_by_two:
        found += [_phi_sentence(table), _odds_sentence(table)]
    elif table.cramers_v is not None:
        found.append(_v_sentence(table.cramers_v, table.confidence))
    found.append(_test_sentence(table))
    if table.advice is not None:
        found += _advice_sentences(table.advice, table.first, table.second)
    return found


def _phi_sentence(table: CrossTable) -> str:
    if table.phi is None:
        return "Phi is not estimable: a margin is not between 0 and 1."
    return f"Phi is {_with_interval(table.phi, table.confidence)}."


def _odds_sentence(table: CrossTable) -> str:
    odds = table.odds_ratio
    if odds is None or odds.value is None:
        return "The odds ratio is not estimable: not all four cells are above 0."
    ends = ends_text(odds, lambda value: f"{value:.3g}")
    return f"The odds ratio is {odds.value:.3g} ({100 * table.confidence:g} % interval {ends})."


def _v_sentence(found: Strength, confidence: float) -> str:
    if found.standard_error is None:
        return f"Cramer's V is {found.value:.2f}; its error cannot be estimated, see the test."
    return f"Cramer's V is {_with_interval(found, confidence)}, without the part of the noise."


def _test_sentence(table: CrossTable) -> str:
    test = table.test
    if test.p_value is None:
        return "Independence cannot be tested: all reports to a question are equal."
    degrees = "1 degree" if test.df == 1 else f"{test.df:,} degrees"
    figures = f"chi-square {test.statistic:.2f} with {degrees} of freedom"
    chance = "p below 0.0001" if test.p_value < 0.0001 else f"p = {test.p_value:.4f}"
    verdict = (
        "the answers are related"
        if test.p_value < 1 - table.confidence
        else "no relation is shown, which does not prove that there is none"
    )
    return f"Test of independence: {figures}, {chance}: {verdict}."


def _advice_sentences(advice: Advice, first: str, second: str) -> list[str]:
    """Return whether one `cross` question would have been better, and its price."""
    if advice.cell_gain < WORTHWHILE:
        return [
            "One question of the kind cross would have given about the same cells "
            f"(variance ratio {advice.cell_gain:.2f})."
        ]
    gains = {first: advice.row_gain, second: advice.column_gain}
    worse = {name: 1 / gain for name, gain in gains.items() if gain < 1 / WORTHWHILE}
    better = {name: gain for name, gain in gains.items() if gain > WORTHWHILE}
    said = (
        f"One question of the kind cross with the same total epsilon, {advice.epsilon:g}, would "
        f"have given cells with {_times(advice.cell_gain)} less variance, as if "
        f"{_times(advice.cell_gain)} as many people had answered."
    )
    if worse:
        said += f" Its price is more variance for the shares of {_listed(worse)}."
    if better:
        said += f" There would be less variance for the shares of {_listed(better)}, too."
    return [f"{said} This is for answers that are all equally common."]


def _listed(gains: dict[str, float]) -> str:
    return " and ".join(f"{name} ({_times(gain)})" for name, gain in gains.items())


def _times(ratio: float) -> str:
    return f"{ratio:.2g} times" if ratio < 10 else f"{ratio:,.0f} times"


def _with_interval(found: Strength, confidence: float) -> str:
    ends = ends_text(Ratio(found.value, found.low, found.high), lambda value: f"{value:.2f}")
    error = found.standard_error or 0.0
    percent = f"{100 * confidence:g} % interval"
    return f"{found.value:.2f} (standard error {error:.2f}, {percent} {ends})"


def ends_text(ratio: Ratio, text: Callable[[float], str]) -> str:
    """Return the ends of an interval, which may have no upper one."""
    if ratio.low is None:
        return "?"
    return f"{text(ratio.low)} to {'infinity' if ratio.high is None else text(ratio.high)}"
