"""What the views work with: the databases and the keys, found through the running application."""

from dataclasses import dataclass, field

from flask import Flask, current_app, request

from server.clock.watch import ClockWatch
from server.store import reading
from server.store.database import Database
from server.surveys.states import State, refusal_for_respondents
from server.web.guesses import Guesses
from server.web.ticket_rate import TicketRate

_NAME = "candor"


@dataclass(frozen=True)
class Services:
    """The databases and keys of one application. Tests of drafts have a file of their own."""

    database: Database
    drafts: Database
    secret: bytes
    session_key: bytes
    operator_key: str
    watch: ClockWatch
    # Of everybody, by name; and of browsers that are known, each for itself.
    guesses: Guesses = field(default_factory=Guesses)
    guesses_of_devices: Guesses = field(default_factory=Guesses)
    tickets_issued: TicketRate = field(default_factory=TicketRate)

    def attach(self, app: Flask) -> None:
        app.extensions[_NAME] = self

    def database_of(self, test: bool) -> Database:
        return self.drafts if test else self.database


def services() -> Services:
    """Return the services of the application that answers the current request."""
    found: Services = current_app.extensions[_NAME]
    return found


def database(test: bool) -> Database:
    """Return the database of published surveys, or that of tests."""
    return services().database_of(test)


def refuse_trashed() -> None:
    """Raise if the survey of the current request is in the trash."""
    place = request.view_args or {}
    state = reading.newest(database(place["test"]).reader, place["slug"]).state
    if state is State.TRASHED:
        raise refusal_for_respondents(state)
