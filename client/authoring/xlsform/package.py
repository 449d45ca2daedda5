"""Check the zip of XML parts that a workbook is, before the workbook library parses it."""

import io
import re
import warnings
import zipfile
import zlib
from collections.abc import Callable, Sequence
from typing import Any

from client.core.primitives.refusal import Refusal, require


def load_openpyxl() -> Any:
    """Import openpyxl, or raise a refusal that says how to install it."""
    try:
        import openpyxl
    except ImportError:
        raise Refusal("no_openpyxl") from None
    # It prints warnings about parts that it ignores.
    warnings.filterwarnings("ignore", module="openpyxl")
    return openpyxl


MAX_PARTS = 300
MAX_UNPACKED_BYTES = 2**24
# More than 20,000 options in four languages need. A few bytes can unpack to millions.
MAX_CELL_ELEMENTS = 500_000
# Styles and other elements, each of which takes ten times as long to parse.
MAX_OTHER_ELEMENTS = 50_000

_XML = (".xml", ".rels", ".vml")
_CELLS = re.compile(r"xl/(?:worksheets/|sharedstrings)")
_ENCODING = re.compile(rb"""^[^>]{0,100}encoding\s*=\s*["']([^"']*)["']""")
# Why a survey cannot have a part with this in its name.
_REFUSED: Sequence[tuple[str, Callable[[str], Refusal]]] = (
    ("vbaproject", lambda name: Refusal("bad_workbook.macros", name)),
    ("macrosheets/", lambda name: Refusal("bad_workbook.macros", name)),
    ("activex/", lambda name: Refusal("bad_workbook.controls", name)),
    ("externallinks/", lambda name: Refusal("bad_workbook.links", name)),
    ("connections.xml", lambda name: Refusal("bad_workbook.connections", name)),
    ("querytables/", lambda name: Refusal("bad_workbook.connections", name)),
    ("embeddings/", lambda name: Refusal("bad_workbook.embedded", name)),
)


def check_package(data: bytes, name: str) -> None:
    """Raise if the package has parts that no survey needs, or is too large."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            _check_parts(package.infolist(), name)
            cells = others = 0
            for part in package.infolist():
                # No part unpacks to more than its stated size, which is bounded above.
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
    each_once = len(parts) <= MAX_PARTS and len(set(names)) == len(names)
    require(each_once, "bad_workbook.parts", name, most=MAX_PARTS)
    size = sum(part.file_size for part in parts)
    fits = size <= MAX_UNPACKED_BYTES
    require(fits, "too_large.unpacked", name, most=MAX_UNPACKED_BYTES, size=size)
    for word, refused in _REFUSED:
        if any(word in part for part in names):
            raise refused(name)
    require("xl/workbook.xml" in names, "bad_workbook.other", name)


def _check_elements(cells: int, others: int, name: str) -> None:
    """Raise if there are too many elements; counting is far faster than parsing them."""
    few = cells <= MAX_CELL_ELEMENTS and others <= MAX_OTHER_ELEMENTS
    require(few, "too_large.elements", name)


def _check_xml(content: bytes, part: str, name: str) -> None:
    """Require UTF-8 without a document type, so that no entity expands and nothing is fetched."""
    if not part.lower().endswith(_XML):
        return
    encoding = _ENCODING.match(content[:200])
    is_plain = (
        b"<!DOCTYPE" not in content
        and b"<!ENTITY" not in content
        and b"\x00" not in content
        and (encoding is None or encoding[1].lower() in (b"utf-8", b"us-ascii", b"ascii"))
    )
    require(is_plain, "bad_workbook.xml", name, part=part[:80])


def no_workbook(name: str) -> Refusal:
    return Refusal("bad_workbook.damaged", name)
