"""The libraries of the extra `analysis`, which only regressions need."""

from dataclasses import dataclass
from typing import Any

from client.core.primitives.refusal import Refusal


@dataclass(frozen=True)
class Libraries:
    """The three packages, imported."""

    statsmodels: Any
    formulaic: Any
    pandas: Any


def load_analysis() -> Libraries:
    """Import statsmodels, formulaic and pandas; raise if one of them is not installed."""
    try:
        import formulaic
        import pandas
        import statsmodels.api
    except ImportError:
        raise Refusal("no_analysis") from None
    return Libraries(statsmodels.api, formulaic, pandas)
