"""The zip of XML parts that a workbook is: checked before the library for workbooks parses it."""

import io
import re
import warnings
import zipfile
import zlib
from typing import Any

from client.core.primitives.refusal import Refusal, require


def load_openpyxl() -> Any:
    try:
        import openpyxl
    except ImportError:
        raise Refusal(
            "no_openpyxl", "workbooks need openpyxl; install it with: pip install openpyxl"
        ) from None
    # It warns of parts that it leaves out, on the terminal and in its own words.
    warnings.filterwarnings("ignore", module="openpyxl")
    return openpyxl


MAX_PARTS = 300
MAX_UNPACKED_BYTES = 2**24
# More than 20,000 options in four languages need; few bytes can unpack to millions of them.
MAX_CELL_ELEMENTS = 500_000
# Styles and the like, of which each takes ten times as long to read.
MAX_OTHER_ELEMENTS = 50_000

_XML = (".xml", ".rels", ".vml")
_CELLS = re.compile(r"xl/(?:worksheets/|sharedstrings)")
_ENCODING = re.compile(rb"""^[^>]{0,100}encoding\s*=\s*["']([^"']*)["']""")
# By what a part is called: why a survey cannot have it.
_REFUSED = (
    ("vbaproject", "contains macros; save it as a workbook without them"),
    ("macrosheets/", "contains macros; save it as a workbook without them"),
    ("activex/", "contains controls that run programs; remove them"),
    ("externallinks/", "links to other workbooks; paste the values instead"),
    ("connections.xml", "draws on data elsewhere; paste the values instead"),
    ("querytables/", "draws on data elsewhere; paste the values instead"),
    ("embeddings/", "has other files embedded; remove them"),
)


def check_package(data: bytes, name: str) -> None:
    """Refuse what no survey needs."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            _check_parts(package.infolist(), name)
            cells = others = 0
            for part in package.infolist():
                # A part is never read beyond the size that it says, which is bounded above.
                content = package.read(part)
                _check_xml(content, part.filename, name)
                elements = content.count(b"<") - content.count(b"</")
                if _CELLS.match(part.filename.lower()):
                    cells += elements
                else:
                    others += elements
            _check_elements(cells, others, name)
    except Refusal:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError):
        raise no_workbook(name) from None


def _check_parts(parts: list[zipfile.ZipInfo], name: str) -> None:
    names = [part.filename.lower() for part in parts]
    require(
        len(parts) <= MAX_PARTS and len(set(names)) == len(names),
        "bad_workbook",
        f"{name} must have at most {MAX_PARTS} parts, each once",
        name,
    )
    size = sum(part.file_size for part in parts)
    require(
        size <= MAX_UNPACKED_BYTES,
        "too_large",
        f"{name} must unpack to at most {MAX_UNPACKED_BYTES} bytes, got {size}",
        name,
    )
    for word, reason in _REFUSED:
        require(not any(word in part for part in names), "bad_workbook", f"{name} {reason}", name)
    require("xl/workbook.xml" in names, "bad_workbook", f"{name} is no workbook (.xlsx)", name)


def _check_elements(cells: int, others: int, name: str) -> None:
    """Before any is parsed: that takes far longer than to count them."""
    require(
        cells <= MAX_CELL_ELEMENTS and others <= MAX_OTHER_ELEMENTS,
        "too_large",
        f"{name} has more cells, texts or styles than any survey; save only the sheets survey, "
        "choices and settings in a new workbook",
        name,
    )


def _check_xml(content: bytes, part: str, name: str) -> None:
    """UTF-8 without a document type: then no entity can grow, and nothing is fetched."""
    if not part.lower().endswith(_XML):
        return
    encoding = _ENCODING.match(content[:200])
    require(
        b"<!DOCTYPE" not in content
        and b"<!ENTITY" not in content
        and b"\x00" not in content
        and (encoding is None or encoding[1].lower() in (b"utf-8", b"us-ascii", b"ascii")),
        "bad_workbook",
        f"{name} must have parts in plain UTF-8 XML without document types, but {part[:80]} is not",
        name,
    )


def no_workbook(name: str) -> Refusal:
    return Refusal("bad_workbook", f"{name} is damaged, or no workbook (.xlsx)", name)
