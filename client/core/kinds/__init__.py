"""The kinds of question: one class each, and the table that finds a class by its document name."""

from client.core.kinds.choice import AnyOf, Cross, OneOf, YesNo
from client.core.kinds.kind import DISTRIBUTION, MEAN, SHARES, Grid, Kind, Rule
from client.core.kinds.ordinal import Number, Scale

KINDS: dict[str, type[Kind]] = {
    kind.name: kind for kind in (YesNo, OneOf, AnyOf, Scale, Number, Cross)
}

__all__ = [
    "DISTRIBUTION",
    "KINDS",
    "MEAN",
    "SHARES",
    "AnyOf",
    "Cross",
    "Grid",
    "Kind",
    "Number",
    "OneOf",
    "Rule",
    "Scale",
    "YesNo",
]
