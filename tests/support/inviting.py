"""Links to the survey of a running server, and devices that ask with them."""

import json
from pathlib import Path
from typing import Any

from client.terminal.tickets import TicketPocket, get_ticket
from client.terminal.transport import SurveyLink
from server.lifecycle.invitations import open_link
from tests.support.live import JSON, Answer, Live
from tests.support.tickets import new_links


def in_german_too(draft: dict[str, Any]) -> dict[str, Any]:
    """Return a draft of yes/no questions with its texts in English and in German."""
    questions = [
        {**item, "prompt": {"en": item["prompt"], "de": "Tun Sie es?"}}
        for item in draft["questions"]
    ]
    title = {"en": draft["title"], "de": "Gewohnheiten"}
    return {**draft, "language": "en", "title": title, "questions": questions}


def ask_for_ticket(live: Live, wish: dict[str, str]) -> Answer:
    return live.send("POST", f"{live.api}/tickets", json.dumps(wish).encode(), JSON)


def personal(live: Live, count: int = 1, group: str = "") -> list[str]:
    """Return the codes in this many new personal links."""
    return new_links(live.services, live.survey, count, group)


def group_key(live: Live, group: str) -> str:
    """Return what the open link of a group carries."""
    return str(open_link(live.services, "habits", group)["invitations"][0])


def ticket_of(link: SurveyLink, folder: Path) -> str:
    """Return the ticket that the terminal gets with a link, which keeps it in a folder."""
    return get_ticket(link, link.fetch_survey(), TicketPocket(folder))
