"""Where things are: the workbench, and the links of a survey."""

from typing import Any

ADDRESS = "/workbench"


def in_workbench(path: str) -> bool:
    return path == ADDRESS or path.startswith(f"{ADDRESS}/")


def is_https(url: str | None) -> bool:
    """Whether people reach the server by HTTPS, through the proxy in front."""
    return (url or "").startswith("https://")


def invitation_links(url: str, summary: dict[str, Any]) -> list[str]:
    """Return links that carry a code or a group's key after #, where no server's log sees it."""
    link = links(url, summary["slug"], summary["fingerprint"])["answer"]
    return [f"{link};{carried}" if carried else link for carried in summary["invitations"]]


def kiosk_link(link: str) -> str:
    """Return an open link for a device that many people share, one after the other."""
    return f"{link};kiosk"


def short_link(url: str, slug: str, code: str) -> str:
    """Return a personal link for letters; without the fingerprint, which people then compare."""
    return f"{url}/s/{slug}#{code}"


def compared_address(url: str, slug: str) -> str:
    """Return where a survey is, as people compare it: host and slug."""
    return f"{url.partition('://')[2]}/s/{slug}"


def links(url: str, slug: str, fingerprint: str, test: bool = False) -> dict[str, str]:
    """Return a survey's links. The link to answer pins the document by its fingerprint."""
    survey = f"{url}/{'t' if test else 's'}/{slug}"
    return {
        "answer": f"{survey}#{fingerprint}",
        "results": f"{survey}/results",
        "estimates": f"{survey}/estimates.csv",
    }
