"""The links of a survey: answer it, see the results, download the estimates."""

from typing import Any

from client.console.files import csv_text
from server.data import DataFolder
from server.workbench.address import ADDRESS

DEFAULT_URL = "http://127.0.0.1:8000"


def url_for_others(folder: DataFolder) -> str:
    """Where the running server is found, or the one that `candor serve` will start."""
    return folder.public_url or DEFAULT_URL


def survey_links(folder: DataFolder, summary: dict[str, Any]) -> dict[str, str]:
    """Links on the running server, or on the one that `candor serve` will start."""
    url = url_for_others(folder)
    return links(url, summary["slug"], summary["fingerprint"], summary["test"])


def workbench_link(folder: DataFolder) -> str:
    """Where researchers log in."""
    return f"{url_for_others(folder)}{ADDRESS}"


def invitation_links(url: str, summary: dict[str, Any]) -> list[str]:
    """Links that carry a ticket or the key of a group, after # where no server's log sees it."""
    link = links(url, summary["slug"], summary["fingerprint"])["answer"]
    return [f"{link};{carried}" if carried else link for carried in summary["invitations"]]


def links_table(summary: dict[str, Any], found: list[str]) -> str:
    """Personal links as CSV."""
    rows = [{"link": link, "group": summary["group"]} for link in found]
    return csv_text(["link", "group"], rows)


def links(url: str, slug: str, fingerprint: str, test: bool = False) -> dict[str, str]:
    """The link to answer pins the document: a page with other questions refuses to open."""
    survey = f"{url}/{'t' if test else 's'}/{slug}"
    return {
        "answer": f"{survey}#{fingerprint}",
        "results": f"{survey}/results",
        "estimates": f"{survey}/estimates.csv",
    }
