"""All that the JSON interface offers, gathered on its blueprints."""

from server.api import (
    estimates,
    invitations,
    life,
    manuscripts,
    openapi,
    operator,
    people,
    surveys,
    writing,
)
from server.api.blueprint import management
from server.api.devices import devices

__all__ = [
    "devices",
    "estimates",
    "invitations",
    "life",
    "management",
    "manuscripts",
    "openapi",
    "operator",
    "people",
    "surveys",
    "writing",
]
