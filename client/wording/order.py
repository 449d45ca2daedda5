"""In which order one person is shown questions and options: drawn on the device, and forgotten.

It is for the eyes only: answers and reports know questions by their ids and options by their
numbers. So it is neither sent nor stored, and it takes no word from a randomizer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from client.core.primitives.words import WORD_RANGE, Words, below, bern
from client.core.question import Question
from client.core.survey import Survey


@dataclass(frozen=True)
class Order:
    """The numbers of the questions as they are asked; for some, of each list as it is shown."""

    questions: tuple[int, ...]
    options: dict[str, tuple[tuple[int, ...], ...]]

    def options_of(self, question: Question) -> tuple[tuple[int, ...], ...]:
        """Return the order of each list of options, without those for silence."""
        usual = question.kind.lists or (len(question.kind.own_labels),)
        return self.options.get(question.id) or tuple(tuple(range(count)) for count in usual)


def draw_order(survey: Survey, words: Words) -> Order:
    """Draw an order of the questions, and then of each question's options, as the survey says."""
    questions = _question_order(survey, words) if survey.shuffle else range(len(survey.questions))
    options = {question.id: _option_orders(question, words) for question in survey.questions}
    return Order(tuple(questions), {id: orders for id, orders in options.items() if orders})


def _question_order(survey: Survey, words: Words) -> list[int]:
    """Shuffle each section by itself; questions of a condition stay where they are."""
    rules = [question.show_if for question in survey.questions if question.show_if]
    deciders = {id for rule in rules for id in rule.questions}
    order: list[int] = []
    for section in _sections(survey.questions):
        fixed = {
            number
            for number in section
            if survey.questions[number].show_if or survey.questions[number].id in deciders
        }
        order += _shuffled(section, fixed, words)
    return order


def _sections(questions: Sequence[Question]) -> Iterable[list[int]]:
    """Return the numbers of the questions of each section; a heading begins one."""
    sections: list[list[int]] = []
    for number, question in enumerate(questions):
        if question.heading or not sections:
            sections.append([])
        sections[-1].append(number)
    return sections


def _option_orders(question: Question, words: Words) -> tuple[tuple[int, ...], ...]:
    """Return the order of each list of options; nothing if the author's order holds."""
    if question.shuffle:
        anchored = set(question.anchored)
        lists = [list(range(count)) for count in question.kind.lists]
        return tuple(tuple(_shuffled(items, anchored, words)) for items in lists)
    if question.reverse and bern(words, WORD_RANGE // 2):
        return (tuple(reversed(range(len(question.kind.own_labels)))),)
    return ()


def _shuffled(items: Sequence[int], fixed: set[int], words: Words) -> list[int]:
    """Return the items in an exactly uniform order; fixed ones keep their places."""
    places = [place for place, item in enumerate(items) if item not in fixed]
    shuffled = list(items)
    for last in range(len(places) - 1, 0, -1):
        one, other = places[last], places[below(words, last + 1)]
        shuffled[one], shuffled[other] = shuffled[other], shuffled[one]
    return shuffled
