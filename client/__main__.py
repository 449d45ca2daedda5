"""`python -m client`: answer, check and simulate, with no numpy, Flask or database."""

from client.console.group import Commands
from client.terminal.answer import answer
from client.terminal.check import check
from client.terminal.simulate import simulate

main = Commands(
    "client",
    commands=[answer, check, simulate],
    help="The respondent's side of Candor: all code that may ever see a true answer.",
)

if __name__ == "__main__":
    main(prog_name="python -m client")
