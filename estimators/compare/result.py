"""What a comparison of groups found, as plain figures for printing, drawing and JSON."""

from dataclasses import asdict, dataclass
from typing import Any

from estimators.compare.ratio import Ratio
from estimators.compare.samples import Outcome

POSTSTRATIFIED, RAKED = "poststratified", "raked"


@dataclass(frozen=True)
class GroupFigure:
    """A share or mean in one group; its interval holds by itself.

    `n` counts the reports about it. `flag` says that no possible share lies in the interval.
    """

    group: str
    option: str
    n: int
    value: float
    low: float
    high: float
    flag: bool


@dataclass(frozen=True)
class Difference:
    """How much larger a share or mean is in one group than in another, and how many times.

    The intervals of all differences of one comparison hold together, and so do those of all
    ratios. `p_holm` is the p-value adjusted for all of them.
    """

    option: str
    group: str
    reference: str
    difference: float
    low: float
    high: float
    interval_method: str
    ratio: Ratio | None
    test: Outcome
    p_holm: float


@dataclass(frozen=True)
class JointTest:
    """One test over all groups: of all options together, of one option, of the mean or shape."""

    about: str
    test: Outcome
    p_holm: float


@dataclass(frozen=True)
class WeightedFigure:
    """A share or mean of all groups together, weighted to a known population."""

    method: str
    option: str
    value: float
    standard_error: float
    low: float
    high: float
    n: int
    effective_n: float


@dataclass(frozen=True)
class Comparison:
    """One question in several groups.

    `quantity` is "share" or "mean". `left_out` are groups with fewer than two reports, or in
    which perhaps nobody answered, and `without_group` counts the reports that belong to none.
    `not_weighted` are groups whose known part is missing from post-stratified figures, because they
    have no reports to show.
    """

    question: str
    by: str
    quantity: str
    unit: str
    confidence: float
    comparisons: int
    confidence_each: float
    groups: tuple[GroupFigure, ...]
    differences: tuple[Difference, ...]
    tests: tuple[JointTest, ...]
    weighted: tuple[WeightedFigure, ...] = ()
    left_out: tuple[str, ...] = ()
    without_group: int = 0
    not_weighted: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return all figures under their names; None stands for what no number can say."""
        plain = asdict(self)
        plain["differences"] = [_flat(row) for row in plain["differences"]]
        plain["tests"] = [_flat(row) for row in plain["tests"]]
        return plain


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with its test, and its ratio if it has one, in the same dictionary."""
    test = row.pop("test")
    ratio = row.pop("ratio", None)
    if ratio is not None:
        row["ratio"] = ratio["value"]
        row["ratio_low"], row["ratio_high"] = ratio["low"], ratio["high"]
        row["ratio_flag"] = ratio["flag"]
    p_holm = row.pop("p_holm")
    row["test"] = test.pop("method")
    row.update((name, _finite(value)) for name, value in test.items())
    row["p_holm"] = p_holm
    return row


def _finite(value: Any) -> Any:
    """Return the value, but None for an infinity, which JSON does not have."""
    return None if isinstance(value, float) and abs(value) == float("inf") else value
