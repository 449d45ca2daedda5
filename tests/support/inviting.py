"""Links to the survey of a running server, and devices that ask with them."""

import json
from typing import Any

from client.core.primitives.words import secure_hex
from server.lifecycle.hand_in import issue_ticket, store_ballot
from server.lifecycle.invitations import invite, open_link
from server.store import reading
from server.surveys.ballots.ballot import Ballot
from server.surveys.disclosure import LEAST_IN_GROUP
from server.surveys.tickets import hash_of
from tests.support.groups import code
from tests.support.live import JSON, Answer, Live


def in_german_too(draft: dict[str, Any]) -> dict[str, Any]:
    """Return a draft of yes/no questions with its texts in English and in German."""
    questions = [
        {**item, "prompt": {"en": item["prompt"], "de": "Tun Sie es?"}}
        for item in draft["questions"]
    ]
    title = {"en": draft["title"], "de": "Gewohnheiten"}
    return {**draft, "language": "en", "title": title, "questions": questions}


def ask_for_ticket(live: Live, invitation: str | None) -> Answer:
    body = b"" if invitation is None else json.dumps({"invitation": invitation}).encode()
    return live.send("POST", f"{live.api}/tickets", body, JSON)


def personal(live: Live, count: int = 1, group: str = "") -> list[str]:
    """Return the codes in this many personal links."""
    invitations: list[str] = invite(live.services, "habits", count, group)["invitations"]
    return invitations


def bought(live: Live, codes: list[str]) -> list[str]:
    """Return the tickets that these codes buy."""
    return [issue_ticket(live.services, "habits", invitation=code) for code in codes]


def group_key(live: Live, group: str) -> str:
    """Return what the open link of a group carries."""
    return str(open_link(live.services, "habits", group)["invitations"][0])


def fill_personally(live: Live, count: int, group: str = "", **randomized: Any) -> None:
    """Put equal reports straight into the ballot box, each with a personal link."""
    codes = personal(live, max(count, LEAST_IN_GROUP if group else 1), group)
    published, report = (
        reading.newest(live.services.database.reader, "habits"),
        live.parsed(**randomized),
    )
    for ticket in bought(live, codes[:count]):
        of_group = code(live.survey, group)
        ballot = Ballot(published.survey, secure_hex(4), report, hash_of(ticket), of_group)
        assert store_ballot(live.services.database, ballot)
