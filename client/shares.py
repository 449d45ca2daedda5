"""The shares of a synthetic population, as people write them on a command line."""

from collections.abc import Iterable, Sequence

from client.refusal import Refusal, require
from client.survey import Survey

SHARES_TOLERANCE = 1e-9


def parse_shares(text: str, options: int, field: str = "shares") -> tuple[float, ...]:
    """`0.7,0.3`: one share per option, none negative, together one."""
    try:
        shares = tuple(float(part) for part in text.split(","))
    except ValueError:
        raise Refusal(
            "bad_shares", f"{field} must be numbers such as 0.7,0.3, got {text[:80]!r}", field
        ) from None
    check_shares(shares, options, field)
    return shares


def shares_by_question(survey: Survey, texts: Iterable[str]) -> dict[str, tuple[float, ...]]:
    """`0.7,0.3` is for every question, `q1=0.7,0.3` for one; equal shares where nothing is said."""
    options = {question.id: len(question.options) for question in survey.questions}
    common = {id: tuple([1 / count] * count) for id, count in options.items()}
    named = {}
    for text in texts:
        id, equals, shares = text.rpartition("=")
        if not equals:
            common = {id: parse_shares(shares, count) for id, count in options.items()}
            continue
        require(id in options, "unknown_question", f"the survey has no question {id[:40]!r}", id)
        named[id] = parse_shares(shares, options[id], f"shares of {id}")
    return common | named


def check_shares(shares: Sequence[float], options: int, field: str = "shares") -> None:
    """One share per option, none negative, together one."""
    listed = ", ".join(f"{share:g}" for share in shares)
    require(
        len(shares) == options,
        "bad_shares",
        f"{field} must have one share for each of the {options} options, got {listed}",
        field,
    )
    require(
        all(0 <= share <= 1 for share in shares),
        "bad_shares",
        f"{field} must be between 0 and 1, got {listed}",
        field,
    )
    require(
        abs(sum(shares) - 1) <= SHARES_TOLERANCE,
        "bad_shares",
        f"{field} must sum to 1, got {listed}, which sum to {sum(shares):g}",
        field,
    )
