"""Where things are: the workbench, and the links of a survey, also as QR codes."""

from typing import IO, Any

import segno

from client.console.files import csv_text

ADDRESS = "/workbench"
# Pixels per module, and the margin in modules that readers need.
SCALE, MARGIN = 4, 4


def in_workbench(path: str) -> bool:
    return path == ADDRESS or path.startswith(f"{ADDRESS}/")


def invitation_links(url: str, summary: dict[str, Any]) -> list[str]:
    """Return links that carry a ticket or a group's key after #, where no server's log sees it."""
    link = links(url, summary["slug"], summary["fingerprint"])["answer"]
    return [f"{link};{carried}" if carried else link for carried in summary["invitations"]]


def links_table(summary: dict[str, Any], found: list[str]) -> str:
    """Return personal links as CSV."""
    rows = [{"link": link, "group": summary["group"]} for link in found]
    return csv_text(["link", "group"], rows)


def links(url: str, slug: str, fingerprint: str, test: bool = False) -> dict[str, str]:
    """Return a survey's links. The link to answer pins the document by its fingerprint."""
    survey = f"{url}/{'t' if test else 's'}/{slug}"
    return {
        "answer": f"{survey}#{fingerprint}",
        "results": f"{survey}/results",
        "estimates": f"{survey}/estimates.csv",
    }


def draw_qr(text: str, file: IO[bytes]) -> None:
    """Draw a QR code as SVG; a full one, since many readers cannot read micro codes."""
    code = segno.make_qr(text)
    code.save(file, kind="svg", scale=SCALE, border=MARGIN, light="white")
