"""All that the JSON interface offers, gathered on its blueprints."""

from server.api import manuscripts, openapi, people, surveys
from server.api.blueprint import management
from server.api.devices import devices

__all__ = ["devices", "management", "manuscripts", "openapi", "people", "surveys"]
