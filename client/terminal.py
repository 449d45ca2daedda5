"""What all commands share: one clear line and exit code 2 on bad input, JSON on request."""

import json
import sys
from typing import Any

import click

from client.refusal import Refusal


class Commands(click.Group):
    """A group of commands whose errors are one line each, whoever raised them."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        kwargs["standalone_mode"] = False
        try:
            return super().main(*args, **kwargs)
        except Refusal as refusal:
            self._fail(refusal.message, 2)
        except click.ClickException as error:
            self._fail(error.format_message(), 2)
        except click.Abort:
            self._fail("stopped", 130)
        except click.exceptions.Exit as stop:
            sys.exit(stop.exit_code)

    def _fail(self, message: str, code: int) -> None:
        click.echo(f"Error: {' '.join(message.split())}", err=True)
        sys.exit(code)


def print_json(value: Any) -> None:
    """One JSON document on standard output, for programs."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
