"""The mechanism that a command line names, for commands that work without a survey."""

from collections.abc import Callable
from decimal import Decimal

from client.mechanisms import RandomizedResponse, TwoLevel
from client.refusal import Refusal

_BUILDERS: dict[str, Callable[[Decimal], TwoLevel]] = {
    RandomizedResponse.name: RandomizedResponse.at
}


def mechanism_named(name: str, epsilon: Decimal) -> TwoLevel:
    """The mechanism with this name at this epsilon."""
    if name not in _BUILDERS:
        known = ", ".join(_BUILDERS)
        raise Refusal(
            "unknown_mechanism", f"mechanism must be {known}, got {name[:40]!r}", "mechanism"
        )
    return _BUILDERS[name](epsilon)
