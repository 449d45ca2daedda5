"""One question in plain words: its odds, an answer, what will be sent, and whether it was swapped.

Every number comes from the mechanism's integers. The page says the same (`odds.js`).
"""

from typing import Any

from client.core.mechanisms import TwoLevel
from client.core.primitives import channel
from client.core.primitives.domain import Levels
from client.core.question import Question
from client.wording.catalogue import Wording
from client.wording.levels import Chances, frequencies, neighbours
from client.wording.mechanisms import SENTENCES, level

# Odds of reports that hold several answers, the true one among them or not.
_AMONG = ("some", "half", "set", "range")


def odds_sentences(question: Question, wording: Wording) -> list[str]:
    """Return both sides of a question's odds, out of the same number of people."""
    mechanism = question.mechanism
    key, values = SENTENCES[mechanism.name].odds(question, mechanism)
    many, few, whole = odds(question)
    return [
        wording.say(f"odds.{key}.truth", count=many, whole=whole, **values),
        wording.say(f"odds.{key}.rest", count=few, whole=whole, **values),
    ]


def odds(question: Question) -> tuple[int, int, int]:
    """Return (many, few, whole); the whole is large enough to tell neighbouring epsilons apart."""
    mechanism = question.mechanism
    others = (
        chances(type(mechanism).at(epsilon, **mechanism.shape))
        for epsilon in neighbours(question.epsilon)
        if epsilon <= channel.MAX_EPSILON
    )
    return frequencies(*chances(mechanism), *others)


def chances(mechanism: TwoLevel) -> Chances:
    """Return how often a report supports the truth, and how often another answer.

    A sliding window's report supports the numbers in the window, so there are no options to
    compare.
    """
    return mechanism.support or (mechanism.keep, 1 - mechanism.keep)


def describe_answer(question: Question, answer: Any, wording: Wording) -> str:
    """Describe a true answer to the person who gave it."""
    if isinstance(answer, list):
        ticked = wording.listed(question.options[option] for option in answer)
        return ticked or wording.say("answer.none")
    if isinstance(question.domain, Levels):
        return level(question, answer, wording)
    return str(question.options[answer])


def describe_report(question: Question, randomized: Any, wording: Wording) -> str:
    """Describe what will be sent to the person who sends it."""
    mechanism = question.mechanism
    return SENTENCES[mechanism.name].report(question, mechanism, randomized, wording)


def describe_mark(question: Question, answer: Any, randomized: Any, wording: Wording) -> str:
    """Say to the person who answered whether chance kept or swapped the answer.

    It gives the true answer away, so it is shown in the review and is never kept.
    """
    mechanism = question.mechanism
    sentences = SENTENCES[mechanism.name]
    kept, parts = sentences.kept(mechanism, answer, randomized)
    name = "kept" if kept == parts else "partly" if kept else "swapped"
    key, _ = sentences.odds(question, mechanism)
    # No ticks are not included in anything.
    among = key in _AMONG and answer != []
    return wording.say(f"mark.{name}.among" if among else f"mark.{name}")
