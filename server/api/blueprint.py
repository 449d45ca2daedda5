"""The API's blueprint: who sends a request, by its key, and the guard before every view."""

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
    """The holder of a valid key. The operator is not a researcher and may do everything."""

    name: str
    scope: Scope
    researcher: Researcher | None

    def require_scope(self, needed: Scope) -> None:
        """Raise if the key's scope does not include the one that is needed."""
        require(
            self.scope in (needed, Scope.MANAGE),
            "scope_too_small",
            "Authorization",
            needed=needed,
            scope=self.scope,
        )

    def require_role(self, slug: str, needed: Role) -> None:
        """Raise if a researcher lacks the role; a survey of others is reported as not found."""
        if self.researcher is not None:
            access.require_role(services().database.reader, self.researcher, slug, needed)

    def require_operator(self) -> None:
        """Raise unless the key is the operator's."""
        require(self.researcher is None, "for_operator")

    def as_researcher(self) -> Researcher:
        """Return the researcher; raise if the key is the operator's."""
        if self.researcher is None:
            raise Refusal("for_researchers")
        return self.researcher


def actor() -> Actor:
    """Return the holder of the current request's key; raise if it has no valid key."""
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
    """Check the key, its scope, and the role in the survey of the address.

    Nothing is open unless its description says so.
    """
    description = description_of(current_app.view_functions[str(request.endpoint)])
    if description.scope is None:
        return
    actor().require_scope(description.scope)
    slug = (request.view_args or {}).get("slug")
    if slug is not None:
        usual = Role.VIEWER if description.scope is Scope.READ else Role.EDITOR
        actor().require_role(slug, description.role or usual)
