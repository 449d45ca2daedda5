"""The documents as a site: strictly built, complete, without dead links or foreign files."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from server.cli import COMMANDS
from tests.support.process import ROOT

# What a browser loads by itself.
LOADED = {"link": "href", "script": "src", "img": "src", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """The anchors of a page, what it leads to, and what it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.anchors.add(found.get("id", ""))
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag in LOADED and LOADED[tag] in found:
            self.loaded.append(found[LOADED[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-c", "docs", "-W", "--keep-going", "-E"]
    done = subprocess.run(
        [*command, "-d", folder / "doctrees", ".", folder / "html"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "html"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in site.rglob("*.html")}


def test_every_document_is_on_the_site(site: Path) -> None:
    for document in [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/how-to/*.md")]:
        page = site / document.relative_to(ROOT).with_suffix(".html")
        assert page.is_file(), document


def test_every_command_has_its_help_there(site: Path) -> None:
    page = re.sub(r"<[^>]+>", "", (site / "docs/generated/commands.html").read_text("utf-8"))
    for command in COMMANDS:
        assert f"Usage: candor {command.name} " in page
        for parameter in command.load().params:
            assert parameter.opts[-1].lower() in page.lower()


def test_no_link_leads_nowhere(pages: dict[Path, Page]) -> None:
    dead = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            there = pages.get(target)
            if not target.exists() or (
                there and unquote(parts.fragment) not in {"", *there.anchors}
            ):
                dead.append(f"{path.name}: {link}")
    assert dead == []


def test_no_page_loads_anything_from_elsewhere(pages: dict[Path, Page]) -> None:
    assert len(pages) > 20
    foreign = {url for page in pages.values() for url in page.loaded if urlsplit(url).netloc}
    assert foreign == set()
