"""How commands print: JSON for programs, CSV for spreadsheets, tables for people."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from client.console.files import csv_text


def print_json(value: Any) -> None:
    """Print one JSON document to standard output."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_done(figures: Any, as_json: bool, sentence: str) -> None:
    """Print what a command did: figures for programs, a sentence for people."""
    if as_json:
        print_json(figures)
    else:
        click.echo(sentence)


def print_csv(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows with a heading to standard output, for spreadsheets."""
    click.echo(csv_text(list(rows[0]), rows, ending="\n"), nl=False)


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]], words: int) -> None:
    """Print aligned columns for people: first `words` columns of words, then figures."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for position, heading in enumerate(headings):
        table.add_column(heading, justify="left" if position < words else "right", no_wrap=True)
    for row in rows:
        table.add_row(*map(Text, row))
    # As wide as needed: a truncated column would hide figures in a file or a pager.
    width = Console(width=1000).measure(table).maximum
    Console(width=max(width, 1), highlight=False).print(table)


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
csv_option = click.option("--csv", "as_csv", is_flag=True, help="Print CSV for spreadsheets.")
