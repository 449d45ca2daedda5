"""What the views work with: the stores and the keys, found through the running application."""

from dataclasses import dataclass, field

from flask import Flask, current_app

from server.accounts.throttle import OVERALL_OF_DEVICES, Throttle
from server.store import Office, Store

_NAME = "candor"


@dataclass(frozen=True)
class Services:
    """One per application. Drafts that are being tested have a store of their own."""

    store: Store
    drafts: Store
    office: Office
    secret: bytes
    session_key: bytes
    operator_key: str
    # Of everybody, by name; and of browsers that are known, each for itself.
    guesses: Throttle = field(default_factory=Throttle)
    guesses_of_devices: Throttle = field(
        default_factory=lambda: Throttle(overall=OVERALL_OF_DEVICES)
    )

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
