"""Everything that could be observed of one session, place by place: what a hunter learns from.

The report follows its channel and is observed question by question; everything else is observed
with the report blotted out.
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.browser.sessions import Session
from tests.browser.wire import Sent

Places = dict[str, str | float]
BLOT = "<report>"


def all_but_the_report(session: Session) -> Places:
    return {
        **the_clock(session),
        **_on_the_wire(session),
        **_random_by_design(session),
        **_on_the_device(session),
        **_at_the_server(session),
    }


def the_clock(session: Session) -> Places:
    """The time from the press on Send, which a last look at the document follows, to the report.

    All other times are as long as somebody thinks; this one is the page's own doing. It is also
    hunted alone: a few milliseconds on a busy machine would drown in everything else.
    """
    last_look = [sent for sent in session.sent if sent.path.endswith("/document.json")][-1]
    return {"time to send": session.handed_in.at - last_look.at}


def the_report(session: Session, question: str) -> Places:
    """The randomized answer to one question, and what the tallies make of it."""
    randomized = session.randomized[question]
    places: Places = {question: json.dumps(randomized)}
    if isinstance(randomized, int):
        places[f"{question} as a number"] = float(randomized)
    else:
        places |= {f"{question} at {i}": str(item) for i, item in enumerate(randomized)}
        places |= {f"{question} has {item}": "yes" for item in randomized}
    for row in session.trace.rows:
        if row.columns.get("question") == question:
            places[f"{question} counts in {row.columns['cell']}"] = "yes"
    return places


def _on_the_wire(session: Session) -> Places:
    places: Places = {
        "requests": float(len(session.sent)),
        "received": float(session.received),
    }
    before = ""
    repeated: Counter[str] = Counter()
    for i, sent in enumerate(session.sent):
        line, *head = sent.masked.partition(b"\r\n\r\n")[0].decode().split("\r\n")
        resource = line.partition("?")[0].removesuffix(" HTTP/1.1")
        repeated[resource] += 1
        name = f"{resource} ({repeated[resource]})"
        places |= {f"request {i}": line, f"{name} line": line, f"{name} follows": before}
        places |= dict(_of_request(name, sent, head))
        before = resource
    return places


def _of_request(name: str, sent: Sent, head: list[str]) -> Iterator[tuple[str, str | float]]:
    headers = [line.partition(": ")[::2] for line in head]
    yield f"{name} length", float(len(sent.raw))
    yield f"{name} body", sent.masked.partition(b"\r\n\r\n")[2].decode()
    yield f"{name} headers", " ".join(header for header, _ in headers)
    for header, value in headers:
        yield f"{name} {header}", value


def _random_by_design(session: Session) -> Places:
    """The ticket and, before the server has stamped it, what covers it: character by character."""
    head = session.handed_in.head.decode()
    texts = {"ticket": head.lower().partition("candor-ticket: ")[2].partition("\r\n")[0]}
    for sent in session.sent:
        if b'"blinded"' in sent.body:
            texts["blinded"] = json.loads(sent.body)["blinded"]
    return {
        f"{name} at {i}": letter for name, text in texts.items() for i, letter in enumerate(text)
    }


def _on_the_device(session: Session) -> Places:
    body = json.dumps(session.handed_in.body.decode())
    places: Places = {
        f"device {place}": json.dumps(found).replace(body, BLOT)
        for place, found in session.device.items()
    }
    # One by one, too: what is new every time would hide what stands beside it.
    entries = [
        *_entries("after", session.device["after"]),
        *(session.device["state"] or {}).items(),
    ]
    for name, value in entries:
        places |= {f"device has {name}": "yes", f"device {name}": json.dumps(value)}
    return places


def _entries(folder: str, found: list[Any]) -> Iterator[tuple[str, Any]]:
    """What lies in a folder by its name; reports have none."""
    for item in found:
        if isinstance(item, dict):
            continue
        name, value = item
        if isinstance(value, str):
            yield f"{folder}/{name}", value
        else:
            yield from _entries(f"{folder}/{name}", value)


def _at_the_server(session: Session) -> Places:
    places: Places = {f"log {i}": line for i, line in enumerate(session.trace.log)}
    seen: Counter[str] = Counter()
    for row in session.trace.rows:
        if "question" in row.columns:
            # A tally: it is observed with the report that it counts.
            continue
        seen[row.table] += 1
        name = f"{row.table} {seen[row.table]}"
        places[f"{name} place"] = row.place
        for column, value in row.columns.items():
            places[f"{name} {column}"] = BLOT if column == "randomized" else str(value)
    return places
