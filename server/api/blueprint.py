"""The blueprint of researchers and the operator, and the guard before all of its views."""

from flask import Blueprint, current_app, request

from server.api.actor import actor
from server.api.describing import description_of
from server.store import Role, Scope

management = Blueprint("management", __name__, url_prefix="/api")


@management.before_request
def guard() -> None:
    """Nothing is open by default: a key, its scope, and a role in the survey of the address."""
    description = description_of(current_app.view_functions[str(request.endpoint)])
    if description.scope is None:
        return
    actor().require_scope(description.scope)
    slug = (request.view_args or {}).get("slug")
    if slug is not None:
        usual = Role.VIEWER if description.scope is Scope.READ else Role.EDITOR
        actor().require_role(slug, description.role or usual)
