"""All that the JSON interface offers, gathered on its blueprints."""

from server.api import life, manuscripts, openapi, operator, people, surveys
from server.api.blueprint import management
from server.api.devices import devices

__all__ = [
    "devices",
    "life",
    "management",
    "manuscripts",
    "openapi",
    "operator",
    "people",
    "surveys",
]
