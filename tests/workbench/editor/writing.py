"""Writing surveys at the workbench of a real server: manuscripts, and a form that is filled in."""

import html
import re
from typing import Any

from server.store.researchers import accounts, manuscripts
from server.surveys.manuscripts import content_of, draft_of
from server.surveys.researchers import Manuscript
from tests.support.html_form import fields_of
from tests.support.live import Answer, Live
from tests.support.researcher import Browser

Draft = dict[str, Any]


def write(live: Live, draft: Draft, slug: str | None = None) -> str:
    """A manuscript of ana's; its address."""
    database = live.services.database
    manuscript = database.write(
        manuscripts.begin, accounts.named(database.reader, "ana"), content_of(draft), slug
    )
    return f"/workbench/manuscripts/{manuscript.id}"


def manuscript(live: Live, address: str) -> Manuscript:
    database = live.services.database
    return manuscripts.find(
        database.reader, accounts.named(database.reader, "ana"), address.rpartition("/")[2]
    )


def kept(live: Live, address: str) -> Draft:
    return draft_of(manuscript(live, address))


def save(ana: Browser, address: str, do: str = "save", **changed: str) -> Answer:
    """Open the page, change some controls and press a button."""
    fields = fields_of(ana.get(address).body)
    assert changed.keys() <= fields.keys(), changed.keys() - fields.keys()
    return ana.post(address, **{**fields, **changed, "do": do})


def begin(ana: Browser, way: str, **fields: str) -> Answer:
    return ana.post(f"/workbench/new/{way}", **fields)


def plain(**changed: Any) -> Draft:
    question = {"id": "q1", "prompt": "One?", "decline": "true"}
    return {"slug": "plain", "title": "Plain", "total_epsilon": "2", "questions": [question]} | (
        changed
    )


def remarks(ana: Browser, address: str) -> list[str]:
    """The list of what is missing or worth a thought."""
    page = ana.get(address).body.decode()
    section = page.partition('id="problems"')[2].partition("</section>")[0]
    return [
        " ".join(html.unescape(re.sub("<[^>]+>", "", item)).split())
        for item in re.findall("<li>(.*?)</li>", section, re.DOTALL)
    ]
