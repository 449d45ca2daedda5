"""The command `candor`; each subcommand is imported only when it is called."""

import click

from client import __version__
from client.console.group import Commands, LazyCommand

# Name, place and first sentence of the help, so that `candor --help` need not import them.
COMMANDS = [
    LazyCommand(
        "serve",
        "server.commands.folder:serve_command",
        "Serve the surveys of a data folder until Ctrl-C.",
    ),
    LazyCommand(
        "verify",
        "server.commands.folder:verify_command",
        "Recount everything from the reports; exit code 1 if something differs.",
    ),
    LazyCommand(
        "backup",
        "server.commands.backup:backup_command",
        "Copy the database to a new file while the server runs, and verify the copy.",
    ),
    LazyCommand(
        "restore-backup",
        "server.commands.backup:restore_backup_command",
        "Bring a backup and its keys back into a new data folder, and verify it.",
    ),
    LazyCommand(
        "demo",
        "server.commands.folder:demo_command",
        "Publish two demo surveys with simulated reports and serve them.",
    ),
    LazyCommand(
        "publish",
        "server.commands.surveys:publish_command",
        "Publish a survey file (YAML, JSON or .xlsx); from then on it cannot change.",
    ),
    LazyCommand(
        "close",
        "server.commands.surveys:close_command",
        "Close a survey for ever; its count and digest are final.",
    ),
    LazyCommand(
        "reopen",
        "server.commands.surveys:reopen_command",
        "Let a full survey take more reports.",
    ),
    LazyCommand(
        "archive",
        "server.commands.surveys:archive_command",
        "Put a closed survey away: its page says that it is over, its results stay readable.",
    ),
    LazyCommand(
        "researcher",
        "server.commands.researchers:researcher_command",
        "Manage who may log in to the workbench, and their roles in surveys.",
    ),
    LazyCommand(
        "log",
        "server.commands.log:log_command",
        "Every change that touches privacy or access, the newest first: who, what and when.",
    ),
    LazyCommand(
        "export",
        "server.commands.export:export_command",
        "Write estimates, randomized reports, design and analysis scripts into one new zip.",
    ),
    LazyCommand(
        "purge",
        "server.commands.deletion:purge_command",
        "Carry out deletion dates, and remove what was in the trash for 30 days.",
    ),
    LazyCommand(
        "clock",
        "server.commands.deletion:clock_command",
        "Say whether the server trusts the machine's clock, or confirm that it is right.",
    ),
    LazyCommand(
        "trash",
        "server.commands.deletion:trash_command",
        "Put a closed survey into the trash: nobody can open its pages or its results.",
    ),
    LazyCommand(
        "restore",
        "server.commands.deletion:restore_command",
        "Take a survey out of the trash, just as it was.",
    ),
    LazyCommand("invite", "server.commands.invite:invite_command", "Make links to a survey."),
    LazyCommand("answer", "client.terminal.answer:answer", "Answer the survey at URL."),
    LazyCommand(
        "ticket",
        "client.terminal.answer:ticket",
        "Exchange the personal link URL for a ticket, and answer another day.",
    ),
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
    LazyCommand(
        "audit",
        "estimators.commands.audit:audit",
        "Check that the randomizers leak no more than they promise.",
    ),
    LazyCommand(
        "cross",
        "estimators.commands.analysis.cross:cross",
        "Cross two questions of the same people: joint shares, association, test of independence.",
    ),
    LazyCommand(
        "curator",
        "estimators.commands.curator:curator",
        "Release figures as a trusted curator would, and see what a local survey gives instead.",
    ),
    LazyCommand(
        "estimate",
        "estimators.commands.analysis.estimate:estimate",
        "Estimate the true totals and shares from randomized reports.",
    ),
    LazyCommand(
        "compare",
        "estimators.commands.analysis.compare:compare",
        "Compare one question between groups: shares or means, differences, ratios and tests.",
    ),
    LazyCommand(
        "lint",
        "estimators.commands.lint:lint",
        "Say all that is wrong with a survey file, and what is unwise in it, each with its place.",
    ),
    LazyCommand(
        "paperwork",
        "estimators.commands.paperwork:paperwork",
        "Write consent text, ethics review, data protection, preregistration and methods.",
    ),
    LazyCommand(
        "plan",
        "estimators.commands.plan:plan",
        "Say how many respondents a margin takes, or what margin so many respondents give.",
    ),
    LazyCommand(
        "regress",
        "estimators.commands.analysis.regress:regress",
        "Fit a regression of the true answers, which nobody saw, from the reports.",
    ),
    LazyCommand(
        "simulate",
        "estimators.commands.simulate:simulate",
        "Ask synthetic respondents, and compare the estimates with the truth.",
    ),
    LazyCommand(
        "tally",
        "estimators.commands.tally:tally",
        "Count reports into one small file, and add up such files.",
    ),
]

main = click.version_option(__version__, prog_name="candor")(
    Commands(
        "candor",
        commands=COMMANDS,
        # Wide enough to show every command's sentence in full.
        context_settings={"max_content_width": 110},
        help="Surveys for questions that people only answer honestly when nobody can hold the "
        "answer against them. The answer is randomized on the respondent's device.",
    )
)
