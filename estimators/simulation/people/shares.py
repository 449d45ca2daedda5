"""The shares of a synthetic population, as written on a command line."""

import math
from collections.abc import Callable, Iterable, Sequence

from client.core.primitives.domain import Checks, Domain, Levels
from client.core.primitives.refusal import Refusal, require
from client.core.survey import Survey

SHARES_TOLERANCE = 1e-9

Shares = tuple[float, ...]


def parse_shares(text: str, domain: Domain, field: str = "shares") -> Shares:
    """Parse `0.7,0.3`: one share per option or level, or of those who tick each box."""
    try:
        shares = tuple(float(part) for part in text.split(","))
    except ValueError:
        raise Refusal("bad_shares.text", field, text=text) from None
    check_shares(shares, domain, field)
    return shares


def even_shares(domain: Domain) -> Shares:
    """Return the same share for all; for check-boxes they sum to half of what can be ticked."""
    if isinstance(domain, Checks):
        return (domain.at_most / (2 * domain.options),) * domain.options
    count = count_of(domain)
    return (1 / count,) * count


def zipf_shares(domain: Domain, exponent: float) -> Shares:
    """Return shares that fall as 1 / rank^exponent; of check-boxes half of what can be ticked.

    With few boxes they sum to less, if otherwise more than everybody would tick the first.
    """
    require(
        isinstance(exponent, float) and 0 <= exponent < math.inf,
        "bad_zipf",
        "zipf",
        exponent=exponent,
    )
    weights = [float(rank) ** -exponent for rank in range(1, count_of(domain) + 1)]
    total = math.fsum(weights)
    scale = min(1.0, domain.at_most / (2 * total)) if isinstance(domain, Checks) else 1 / total
    return tuple(scale * weight for weight in weights)


def shares_by_question(
    survey: Survey, texts: Iterable[str], usual: Callable[[Domain], Shares] = even_shares
) -> dict[str, Shares]:
    """Parse `0.7,0.3` for every question and `q1=0.7,0.3` for one; `usual` fills the rest."""
    domains = {question.id: question.domain for question in survey.questions}
    common = {id: usual(domain) for id, domain in domains.items()}
    named = {}
    for text in texts:
        id, equals, shares = text.rpartition("=")
        if not equals:
            common = {id: parse_shares(shares, domain) for id, domain in domains.items()}
            continue
        require(id in domains, "unknown_question", id)
        named[id] = parse_shares(shares, domains[id], f"shares of {id}")
    return common | named


def check_shares(shares: Sequence[float], domain: Domain, field: str = "shares") -> None:
    """Raise unless there is one share each, none negative, with a sum that the domain allows."""
    count, total = count_of(domain), sum(shares)
    listed = _listed(shares)
    require(
        len(shares) == count,
        "bad_shares.levels" if isinstance(domain, Levels) else "bad_shares.options",
        field,
        count=count,
        listed=listed,
    )
    require(all(0 <= share <= 1 for share in shares), "bad_shares.range", field, listed=listed)
    if isinstance(domain, Checks):
        require(
            total <= domain.at_most + SHARES_TOLERANCE,
            "bad_shares.sum_of_boxes",
            field,
            at_most=domain.at_most,
            listed=listed,
            total=total,
        )
    else:
        require(
            abs(total - 1) <= SHARES_TOLERANCE, "bad_shares.sum", field, listed=listed, total=total
        )


def count_of(domain: Domain) -> int:
    """Return how many shares a question has: of its options, boxes or levels, and of silence."""
    return domain.count if isinstance(domain, Levels) else domain.options


def _listed(shares: Sequence[float]) -> str:
    shown = ", ".join(f"{share:g}" for share in shares[:12])
    return f"{shown}, and {len(shares) - 12} more" if len(shares) > 12 else shown
