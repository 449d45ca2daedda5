"""Pages of the reference that follow from the code: every command's help, and the API."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from flask import Flask

from client.console.group import LazyCommand
from server.api.blueprint import management
from server.api.openapi import openapi_document
from server.cli import main
from server.respondents.api import devices

WIDTH = 100


def write_reference(folder: Path) -> None:
    """Write the pages into a folder."""
    folder.mkdir(exist_ok=True)
    for name, lines in (("commands", command_page()), ("api", api_page())):
        (folder / f"{name}.md").write_text("\n".join(lines) + "\n", "utf-8")


def command_page() -> Iterator[str]:
    """Yield the lines of a page with the help of every command."""
    yield "# Commands"
    yield ""
    yield "What `--help` prints for each command."
    context = click.Context(main, info_name="candor", terminal_width=WIDTH)
    yield from _command(main, context)


def _command(given: click.Command, context: click.Context) -> Iterator[str]:
    command = given.load() if isinstance(given, LazyCommand) else given
    level = context.command_path.count(" ") + 2
    yield from ("", f"{'#' * level} `{context.command_path}`", "", "```text")
    yield command.get_help(context).rstrip()
    yield "```"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _command(inner, click.Context(inner, context, name, terminal_width=WIDTH))


def api_page() -> Iterator[str]:
    """Yield the lines of a page with every operation of the JSON interface."""
    app = Flask("described")
    app.register_blueprint(management)
    app.register_blueprint(devices, url_prefix="/api/surveys/<slug>")
    document = openapi_document(app)
    yield "# The JSON interface"
    yield ""
    yield "All operations under `/api`. A running server describes them for programs at"
    yield "`/api/openapi.json` (OpenAPI 3.1). How to get a key:"
    yield "[Running a server](../running.md#the-json-interface)."
    yield ""
    yield "Every refusal has [the same form](../refusals.md): 401 without a key, 403 with one that"
    yield "may not do this, 404 for what does not exist, and others by their codes."
    for address, operations in sorted(document["paths"].items()):
        for method, operation in operations.items():
            yield from _operation(f"{method.upper()} {address}", operation)


def _operation(name: str, operation: dict[str, Any]) -> Iterator[str]:
    yield from ("", f"## `{name}`", "", operation["summary"], "")
    scope = operation.get("x-scope")
    yield "Key: " + (f"scope `{scope}`." if scope else "none.")
    rows = [
        f"| `{each['name']}` | {each['in']} | {_rule(each['schema'])} |"
        for each in operation["parameters"]
    ]
    if rows:
        yield from ("", "| parameter | in | must be |", "|---|---|---|", *rows)
    answers = [
        f"| {status} | {answer['description']} | {', '.join(answer.get('content', {})) or '–'} |"
        for status, answer in operation["responses"].items()
        if "$ref" not in answer
    ]
    yield from ("", "| answer | meaning | type |", "|---|---|---|", *answers)


def _rule(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "pattern" in schema:
        return "`" + schema["pattern"].replace("|", "\\|") + "`"
    return str(schema.get("format") or schema.get("type") or "any JSON")
