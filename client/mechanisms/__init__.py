"""One small file per randomizer, and the table that finds them by the name in a document."""

from client.mechanisms.randomized_response import RandomizedResponse
from client.mechanisms.two_level import TwoLevel

MECHANISMS: dict[str, type[TwoLevel]] = {RandomizedResponse.name: RandomizedResponse}

__all__ = ["MECHANISMS", "RandomizedResponse", "TwoLevel"]
