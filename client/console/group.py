"""A group of commands that imports each command only when it is called, to start fast."""

import sys
from importlib import import_module
from typing import Any

import click

from client.core.primitives.refusal import Refusal


class LazyCommand(click.Command):
    """The name and the one-line help of a command that is defined in another module.

    `target` names that module and the command in it: `client.terminal.answer:answer`.
    """

    def __init__(self, name: str, target: str, short_help: str) -> None:
        super().__init__(name, short_help=short_help)
        self.target = target

    def load(self) -> click.Command:
        """Import the command."""
        module, _, attribute = self.target.partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command


class Commands(click.Group):
    """A group of commands that prints every error as one line and exits with code 2."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.load() if isinstance(command, LazyCommand) else command, rest

    def main(self, *args: Any, **kwargs: Any) -> Any:
        kwargs["standalone_mode"] = False
        try:
            # Outside its standalone mode, click returns the exit code that a command asked for.
            code = super().main(*args, **kwargs)
            sys.exit(code if isinstance(code, int) else 0)
        except Refusal as refusal:
            self._fail(refusal.message, 2)
        except click.exceptions.NoArgsIsHelpError as help_wanted:
            click.echo(help_wanted.format_message())
            sys.exit(0)
        except click.ClickException as error:
            self._fail(error.format_message(), 2)
        except OSError as error:
            # A full or read-only disk, a folder that may not be entered: nobody needs a traceback.
            place = f"{error.filename}: " if error.filename else ""
            self._fail(f"{place}{error.strerror or error}", 2)
        except click.Abort:
            self._fail("stopped", 130)

    def _fail(self, message: str, code: int) -> None:
        click.echo(f"Error: {' '.join(message.split())}", err=True)
        sys.exit(code)
