"""The operator's commands, and the two roads on which they reach the store."""

from client.console.group import LazyCommand

# Name, place, and the first sentence of its help: `--help` imports none of them.
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
        "server.commands.folder:backup_command",
        "Copy the database to a new file while the server runs, and verify the copy.",
    ),
    LazyCommand(
        "demo",
        "server.commands.folder:demo_command",
        "Publish the demo survey with 2,000 simulated reports and serve it.",
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
        "archive",
        "server.commands.surveys:archive_command",
        "Put a closed survey away: its page says that it is over, its results stay readable.",
    ),
    LazyCommand(
        "researcher",
        "server.commands.researchers:researcher_command",
        "Who may log in to the workbench, and their roles in surveys.",
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
]
