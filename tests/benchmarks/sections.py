"""Sections of BENCHMARKS.md that have runs of their own; the rest of the page stays."""

from tests.support.process import ROOT

PAGE = ROOT / "BENCHMARKS.md"


def section_of(page: str, title: str) -> str | None:
    """Return the section with this title, as in "## The server", if the page has it."""
    sections = page.rstrip("\n").split("\n\n## ")
    return next((f"## {part}" for part in sections if f"## {part}".startswith(f"{title}\n")), None)


def with_section(page: str, text: str) -> str:
    """Return the page with the section of that title replaced, or added at the end."""
    before = section_of(page, text.partition("\n")[0])
    if before is None:
        return f"{page.rstrip()}\n\n{text}\n"
    return page.replace(before, text)


def write_into_page(text: str) -> None:
    """Print a section, and write it into the page."""
    print(text)
    PAGE.write_text(with_section(PAGE.read_text(), text))
