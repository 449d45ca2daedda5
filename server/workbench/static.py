"""The workbench's own files, served under their hash. The style begins with that of all pages."""

from functools import cache
from pathlib import Path

from flask.typing import ResponseReturnValue

from client.browser.bundle import File, style
from server.static_bytes import file_for_ever
from server.workbench.address import ADDRESS
from server.workbench.blueprint import open_to_all, workbench

FOLDER = Path(__file__).parent.parent / "static"


@cache
def file(name: str) -> File:
    """A file of `server/static` by its name, such as workbench.css."""
    content = (FOLDER / name).read_bytes()
    if name == "workbench.css":
        content = style().encode() + content
    return File(content, name.rpartition(".")[2])


def address(name: str) -> str:
    """Where a page finds a file of `server/static`."""
    return f"{ADDRESS}/static/{file(name).name}"


@cache
def _files() -> dict[str, File]:
    found = (file(path.name) for path in FOLDER.iterdir())
    return {item.name: item for item in found}


@workbench.get("/static/<name>")
@open_to_all
def static_file(name: str) -> ResponseReturnValue:
    return file_for_ever(_files(), name)
