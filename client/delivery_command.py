"""`--out` and `--send`: where synthetic reports go, for every command that draws them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from client.progress import Bar
from client.refusal import Refusal
from client.simulate.reports import simulate_columns
from client.simulate.sending import CONCURRENCY, MAX_CONCURRENCY, Sent, send_reports
from client.simulate.source import Source
from client.simulate.truths import Truths
from client.simulate.writing import write_reports

Command = TypeVar("Command", bound=Callable[..., Any])


def delivery_options(command: Command) -> Command:
    """`--out FILE`, `--send URL` and `--concurrency N`."""
    for option in (
        click.option(
            "--concurrency",
            type=int,
            default=CONCURRENCY,
            show_default=True,
            help=f"With --send: reports on their way at a time, from 1 to {MAX_CONCURRENCY}.",
        ),
        click.option(
            "--send",
            metavar="URL",
            help="Hand the reports in to a draft that is being tested; a live survey is refused.",
        ),
        click.option(
            "--out",
            type=click.Path(path_type=Path),
            help="A new file for the reports: .jsonl, .csv or .parquet.",
        ),
    ):
        command = option(command)
    return command


@dataclass(frozen=True)
class Delivery:
    """What the options say; the reports go nowhere if they say nothing."""

    out: Path | None
    send: str | None
    concurrency: int

    def __post_init__(self) -> None:
        if self.out is not None and self.send is not None:
            raise click.UsageError(
                "give either --out or --send: reports that are sent are drawn anew"
            )

    @property
    def is_wanted(self) -> bool:
        return self.out is not None or self.send is not None

    def deliver(self, truths: Truths, respondents: int, source: Source) -> None:
        """Draw reports, and write or send them."""
        if self.out is not None:
            _write(truths, respondents, source, self.out)
        if self.send is not None:
            _send(truths, respondents, source, self.send, self.concurrency)


def _write(truths: Truths, respondents: int, source: Source, out: Path) -> None:
    columns = simulate_columns(truths, respondents, source)
    with Bar("Writing", respondents, "reports") as bar:
        write_reports(columns, out, truths.survey, bar.advance)
    click.echo(f"{respondents:,} reports written to {out}", err=True)


def _send(truths: Truths, respondents: int, source: Source, url: str, concurrency: int) -> None:
    """However it ends, it says how many reports are stored."""
    with Bar("Sending", respondents, "reports") as bar:
        sent = send_reports(truths, respondents, source, url, concurrency, bar.advance)
    account = _account(sent, respondents)
    if sent.interrupted:
        click.echo(account, err=True)
        raise click.Abort
    if sent.refusal is not None:
        reason = sent.refusal
        raise Refusal(reason.code, f"{reason.message}; {account}", reason.field)
    click.echo(account, err=True)


def _account(sent: Sent, respondents: int) -> str:
    text = f"{sent.stored:,} of {respondents:,} reports are stored, {sent.refused:,} refused"
    return f"{text}, {sent.unheard:,} without an answer" if sent.unheard else text
