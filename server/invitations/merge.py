"""Personal links as a file for mail merges: each in full, and short for letters."""

from typing import Any

from client.console.files import csv_text
from server.web.urls import invitation_links, short_link

LINK, SHORT_LINK = "link", "short_link"


def links_table(url: str, summary: dict[str, Any]) -> str:
    """Return personal links as CSV."""
    pairs = zip(invitation_links(url, summary), summary["invitations"], strict=True)
    rows = [
        {
            LINK: link,
            SHORT_LINK: short_link(url, summary["slug"], code),
            "group": summary["group"],
        }
        for link, code in pairs
    ]
    return csv_text([LINK, SHORT_LINK, "group"], rows)
