"""What the views work with: the store and the keys, found through the running application."""

from dataclasses import dataclass

from flask import Flask, current_app

from server.store import Store

_NAME = "candor"


@dataclass(frozen=True)
class Services:
    """One per application."""

    store: Store
    secret: bytes
    operator_key: str

    def attach(self, app: Flask) -> None:
        app.extensions[_NAME] = self


def services() -> Services:
    """The services of the application that answers the current request."""
    found: Services = current_app.extensions[_NAME]
    return found


def store() -> Store:
    return services().store
