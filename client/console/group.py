"""A group of commands that imports a command only when it is called, so that it starts fast."""

import sys
from importlib import import_module
from typing import Any

import click

from client.core.primitives.refusal import Refusal


class LazyCommand(click.Command):
    """The name and the one line of help of a command that stands in another module.

    `target` is that module and the command's name in it: `client.terminal.answer:answer`.
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
    """A group of commands. Each error is one line and exit code 2, whoever raised it."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.load() if isinstance(command, LazyCommand) else command, rest

    def main(self, *args: Any, **kwargs: Any) -> Any:
        kwargs["standalone_mode"] = False
        try:
            # Without its standalone mode click returns the code that a command asked to exit with.
            code = super().main(*args, **kwargs)
            sys.exit(code if isinstance(code, int) else 0)
        except Refusal as refusal:
            self._fail(refusal.message, 2)
        except click.exceptions.NoArgsIsHelpError as help_wanted:
            click.echo(help_wanted.format_message())
            sys.exit(0)
        except click.ClickException as error:
            self._fail(error.format_message(), 2)
        except click.Abort:
            self._fail("stopped", 130)

    def _fail(self, message: str, code: int) -> None:
        click.echo(f"Error: {' '.join(message.split())}", err=True)
        sys.exit(code)
