"""`python -m client`: answer, check, audit, simulate and more, with no Flask and no database."""

from client.commands import COMMANDS
from client.simulate_command import simulate_reports
from client.terminal import Commands

main = Commands(
    "client",
    commands=[*COMMANDS, simulate_reports],
    help="The respondent's side of Candor: all code that may ever see a true answer.",
)

if __name__ == "__main__":
    main(prog_name="python -m client")
