"""How Sphinx makes a site of the documents: `make docs`. Pages that follow from the code are made
first, into `docs/generated/`, so that they cannot differ from it.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

from reference import write_reference  # noqa: E402

from client import __version__  # noqa: E402

project = "Candor"
author = "the Candor maintainers"
copyright = f"2026, {author}"
version = release = __version__
extensions = ["myst_parser"]
root_doc = "docs/index"
# The documents stand where their readers look for them; the site takes them from there.
include_patterns = [
    "*.md",
    "docs/*.md",
    "docs/*/*.md",
    "examples/README.md",
    "examples/*/README.md",
    "client/README.md",
    "client/core/README.md",
    "client/authoring/xlsform/README.md",
    "estimators/README.md",
]
exclude_patterns = ["paper.md", "**/.*"]
myst_heading_anchors = 4
html_theme = "furo"
html_title = "Candor"
html_static_path: list[str] = []
html_show_sphinx = False
# Nothing of another site is loaded by any page.
html_theme_options = {"source_repository": "", "footer_icons": []}

write_reference(ROOT / "docs" / "generated")
