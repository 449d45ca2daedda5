"""What becomes of a simulation: a table for people, CSV, JSON, and a figure in a file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from client.terminal import csv_option, json_option, print_csv, print_json
from estimators.rehearsal.plot_command import check_plot, draw, plot_options
from estimators.rehearsal.rows import Row, long_table, rehearsal_json
from estimators.rehearsal.sweep import Rehearsal
from estimators.rehearsal.tables_command import print_rehearsal, print_sweep

F = TypeVar("F", bound=Callable[..., Any])


def output_options(command: F) -> F:
    """`--plot`, `--figure`, `--csv` and `--json`."""
    for option in (json_option, csv_option, plot_options):
        command = option(command)
    return command


@dataclass(frozen=True)
class Output:
    """What the options say; a table for people if they say nothing."""

    plot: Path | None
    figure: str | None
    as_csv: bool
    as_json: bool

    @property
    def is_wanted(self) -> bool:
        return self.plot is not None or self.figure is not None or self.as_csv or self.as_json

    def check(self, is_sweep: bool) -> None:
        """Asked before the work is done."""
        check_plot(self.plot, self.figure, is_sweep)

    def show(self, head: Row, rehearsals: Sequence[Rehearsal], is_sweep: bool) -> None:
        """A grid keeps its cells apart; a single survey needs no cells."""
        # First: whoever reads only the head of the table closes the pipe, and that ends us.
        if self.plot is not None:
            draw(self.plot, self.figure, rehearsals, head["confidence"])
            click.echo(f"Figure written to {self.plot}", err=True)
        cells = [rehearsal_json(item) for item in rehearsals]
        if self.as_csv:
            print_csv(long_table(cells))
        elif self.as_json:
            print_json({**head, "cells": cells} if is_sweep else {**head, **cells[0]})
        elif is_sweep:
            print_sweep({**head, "cells": cells})
        else:
            print_rehearsal(head, cells[0])
