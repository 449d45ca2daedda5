"""All that the JSON interface offers, gathered on its blueprints."""

from server.api import estimates, life, manuscripts, openapi, operator, people, surveys, writing
from server.api.blueprint import management
from server.api.devices import devices

__all__ = [
    "devices",
    "estimates",
    "life",
    "management",
    "manuscripts",
    "openapi",
    "operator",
    "people",
    "surveys",
    "writing",
]
