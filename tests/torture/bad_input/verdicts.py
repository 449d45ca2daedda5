"""What all rows of bad input share: sound refusals, and what came of all attempts in words."""

from client.core.primitives.refusal import Refusal
from tests.torture.bad_input.attempts import Tally
from tests.torture.row import Outcome

ACCEPTED = "accepted"
LONGEST_SENTENCE = 1200


def check_refusal(refusal: Refusal) -> None:
    """Fail unless the refusal is one printable sentence of a bounded length."""
    check_sentence(refusal.message)


def check_sentence(sentence: str) -> None:
    """Fail unless this is one printable line of a bounded length."""
    assert sentence
    assert len(sentence) <= LONGEST_SENTENCE, len(sentence)
    assert "\n" not in sentence
    sentence.encode()


def counted(tally: Tally, what: str) -> str:
    """Return what came of all attempts in words."""
    accepted, failed = tally.verdicts[ACCEPTED], tally.verdicts["wrong"]
    refusals = len(tally.verdicts.keys() - {ACCEPTED, "wrong"})
    refused = tally.count - accepted - failed
    # Not every finding is kept, and not every one is of a single attempt.
    wrong = max(failed, len(tally.findings))
    return (
        f"{tally.count:,} {what}: {accepted:,} accepted, {refused:,} refused for {refusals} "
        f"reasons, {wrong} wrong; slowest {tally.slowest:.2g} s"
    )


def outcome(tally: Tally, figure: str) -> Outcome:
    """Return the outcome: nothing may be wrong, and both verdicts must have been met."""
    if tally.findings:
        first = [line for line in tally.findings[0].splitlines() if line]
        return Outcome(figure, False, " ".join(first[-2:])[:200].replace("|", "/"))
    both = 0 < tally.verdicts[ACCEPTED] < tally.count
    return Outcome(figure, both, "" if both else "one of the verdicts was never met")
