"""Who asks, known by the key in the header Authorization, and the guard before all views."""

import hmac
from dataclasses import dataclass

from flask import Blueprint, current_app, g, request

from client.core.primitives.refusal import Refusal, require
from server.api.description import description_of
from server.store.researchers import access, api_keys
from server.surveys.researchers import OPERATOR, Researcher, Role, Scope
from server.web.services import services


@dataclass(frozen=True)
class Actor:
    """Somebody who showed a key that is good. The operator is no researcher, and may do all."""

    name: str
    scope: Scope
    researcher: Researcher | None

    def require_scope(self, needed: Scope) -> None:
        require(
            self.scope in (needed, Scope.MANAGE),
            "scope_too_small",
            "Authorization",
            needed=needed,
            scope=self.scope,
        )

    def require_role(self, slug: str, needed: Role) -> None:
        """Refuse a researcher without the role; a survey that is not theirs looks like none."""
        if self.researcher is not None:
            access.require_role(services().database.reader, self.researcher, slug, needed)

    def require_operator(self) -> None:
        require(self.researcher is None, "for_operator")

    def as_researcher(self) -> Researcher:
        if self.researcher is None:
            raise Refusal("for_researchers")
        return self.researcher


def actor() -> Actor:
    """Whose key the current request shows."""
    if "actor" not in g:
        g.actor = _read()
    found: Actor = g.actor
    return found


def _read() -> Actor:
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    require(scheme == "Bearer" and key != "", "key_missing", "Authorization")
    if hmac.compare_digest(key.encode(), services().operator_key.encode()):
        return Actor(OPERATOR, Scope.MANAGE, None)
    found = api_keys.holder(services().database.reader, key)
    if found is None:
        raise Refusal("key_wrong", "Authorization")
    researcher, scope = found
    return Actor(researcher.name, scope, researcher)


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
