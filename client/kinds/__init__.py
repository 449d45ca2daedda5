"""One class per kind of question, and the table that finds them by the name in a document."""

from client.kinds.any_of import AnyOf
from client.kinds.cross import Cross
from client.kinds.kind import DISTRIBUTION, MEAN, SHARES, Kind
from client.kinds.levels import Number, Scale
from client.kinds.single_choice import OneOf, YesNo

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
    "Kind",
    "Number",
    "OneOf",
    "Scale",
    "YesNo",
]
