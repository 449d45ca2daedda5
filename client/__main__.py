"""`python -m client`: answer, ticket, check and simulate, without numpy, Flask or a database."""

from client.console.group import Commands, LazyCommand

main = Commands(
    "client",
    commands=[
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
            "simulate",
            "client.terminal.simulate:simulate",
            "Print the reports of synthetic respondents to SURVEY, one JSON object per line.",
        ),
    ],
    help="The respondent's side of Candor: all code that may ever see a true answer.",
)

if __name__ == "__main__":
    main(prog_name="python -m client")
