"""The commands of the estimators, as part of `candor`."""

from client.console.group import LazyCommand

# Name, place, and the first sentence of its help: `--help` imports none of them.
COMMANDS = [
    LazyCommand(
        "audit",
        "estimators.commands.audit:audit",
        "Check that the randomizers leak no more than they promise.",
    ),
    LazyCommand(
        "estimate",
        "estimators.commands.estimate:estimate",
        "Estimate the true totals and shares from randomized reports.",
    ),
    LazyCommand(
        "lint",
        "estimators.commands.lint:lint",
        "Say all that is wrong with a survey file, and what is unwise in it, each with its place.",
    ),
    LazyCommand(
        "plan",
        "estimators.commands.plan:plan",
        "Say how many respondents a margin takes, or what margin so many respondents give.",
    ),
    LazyCommand(
        "simulate",
        "estimators.commands.simulate:simulate",
        "Ask synthetic respondents, and compare the estimates with the truth.",
    ),
]
