"""What the views work with: the stores and the keys, found through the running application."""

from dataclasses import dataclass

from flask import Flask, current_app

from server.store import Store

_NAME = "candor"


@dataclass(frozen=True)
class Services:
    """One per application. Drafts that are being tested have a store of their own."""

    store: Store
    drafts: Store
    secret: bytes
    operator_key: str

    def attach(self, app: Flask) -> None:
        app.extensions[_NAME] = self

    def store_of(self, test: bool) -> Store:
        return self.drafts if test else self.store


def services() -> Services:
    """The services of the application that answers the current request."""
    found: Services = current_app.extensions[_NAME]
    return found


def store(test: bool) -> Store:
    return services().store_of(test)
