"""The commands of the client, as part of `candor`."""

from client.console.group import LazyCommand

# Name, place, and the first sentence of its help: `--help` imports none of them.
COMMANDS = [
    LazyCommand("answer", "client.terminal.answer:answer", "Answer the survey at URL."),
    LazyCommand(
        "check",
        "client.terminal.check:check",
        "Compare what the survey at URL serves with what this installation contains.",
    ),
    LazyCommand(
        "convert",
        "client.authoring.commands:convert",
        "Write a survey file as YAML, JSON or an XLSForm workbook (.xlsx), by the target's name.",
    ),
    LazyCommand(
        "schema",
        "client.authoring.commands:schema",
        "Print the JSON Schema (2020-12) of survey files, for editors and other programs.",
    ),
]
