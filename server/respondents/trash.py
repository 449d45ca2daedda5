"""What is in the trash is gone for respondents and readers, whatever they ask for."""

from flask import request

from server.services import store
from server.store import State
from server.store.states import refusal_for_respondents


def refuse_trashed() -> None:
    """Before every page about a survey."""
    place = request.view_args or {}
    state = store(place["test"]).latest(place["slug"]).state
    if state is State.TRASHED:
        raise refusal_for_respondents(state)
