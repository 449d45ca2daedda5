"""Strays: the few reports that would show if groups were told apart, and what becomes of them.

A report of a group below the minimum, or of none, is a stray. Strays are counted together.
If they are fewer than the minimum beside larger groups, all reports less those groups would be
these few. So they are held back: no total, group or export counts them, and no group joins them.

If each person is asked only some of the questions, the minimum holds for the people who were asked
each question: a group of which a few were asked one is too small. A question that nobody in a group
was asked tells nothing about it.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from client.core.primitives.refusal import require
from server.surveys.disclosure import LEAST_IN_GROUP, MINIMUM, Asked, Sizes
from server.surveys.groups import label_of
from server.surveys.records import Published

# Where the closing puts reports that it holds back. No group has this code.
HELD = "*"
# Everybody is asked every question.
NOBODY: Asked = {}


class GroupChoice(StrEnum):
    """What the owner chooses at closing if there are strays."""

    # Tell groups apart, and never show the strays.
    KEEP = "keep"
    # Count everything, and tell no groups apart.
    DROP = "drop"


def group_choice(word: str | None) -> GroupChoice | None:
    """Return the choice that a word stands for; None if nothing was chosen."""
    if not word:
        return None
    require(word in list(GroupChoice), "bad_group_choice", "groups", choice=word)
    return GroupChoice(word)


def stray_groups(sizes: Sizes, least: int, asked: Asked = NOBODY) -> tuple[str, ...]:
    """Return the groups whose reports are strays; the one without a name is always among them."""
    small = {name for name, size in sizes.items() if size < least}
    small |= {name for name in sizes if rarely_asked(name, least, asked)}
    return tuple(sorted({"", *small}))


def rarely_asked(name: str, least: int, asked: Asked) -> tuple[str, ...]:
    """Return the questions that some but too few of a group were asked."""
    return tuple(id for id, counts in asked.items() if 0 < counts.get(name, 0) < least)


def are_too_few(sizes: Sizes, least: int, asked: Asked = NOBODY) -> bool:
    """Tell whether there are strays, but too few to be counted beside the larger groups."""
    strays = stray_groups(sizes, least, asked)
    together = (sum(counts.get(name, 0) for name in strays) for counts in (sizes, *asked.values()))
    return len(strays) < len({"", *sizes}) and any(0 < count < least for count in together)


@dataclass(frozen=True)
class Strays:
    """Whether a closing that keeps the groups holds back strays, and from whom."""

    from_everybody: bool
    from_the_public: bool
    # Whether that is because few were asked some question, not because there are few reports.
    by_question: bool = False
    # The labels of the groups that are too small; none if naming them would tell too much.
    small: tuple[str, ...] = ()

    @property
    def least(self) -> int:
        """The number of reports from which a group is not too small."""
        return LEAST_IN_GROUP if self.from_everybody else MINIMUM

    def __bool__(self) -> bool:
        return self.from_everybody or self.from_the_public


def strays_at_closing(published: Published, sizes: Sizes, asked: Asked = NOBODY) -> Strays:
    """Return what a closing that keeps the groups would hold back.

    The counts of groups that people chose are sealed together with the results. No count is told:
    with live results of before and after, it would tell the group of a report that came between.
    """
    is_held = are_too_few(sizes, LEAST_IN_GROUP, asked)
    by_question = is_held and not are_too_few(sizes, LEAST_IN_GROUP)
    found = Strays(is_held, are_too_few(sizes, MINIMUM), by_question)
    if published.is_sealed and published.survey.chosen_groups:
        return found
    # What the public sees of each question is decided for each question.
    counts = asked if is_held else NOBODY
    small = (code for code in stray_groups(sizes, found.least, counts) if code)
    return replace(found, small=tuple(_described(published, code, sizes, counts) for code in small))


def _described(published: Published, code: str, sizes: Sizes, asked: Asked) -> str:
    """Return the label of a small group, and why it is small if it has reports enough."""
    label = label_of(published.survey.groups, code)
    questions = rarely_asked(code, LEAST_IN_GROUP, asked)
    if sizes[code] < LEAST_IN_GROUP or not questions:
        return label
    more = f" and {len(questions) - 1} more" if len(questions) > 1 else ""
    return f"{label} (of which fewer than {LEAST_IN_GROUP} were asked {questions[0]!r}{more})"


def require_choice(strays: Strays, groups: GroupChoice | None, slug: str) -> None:
    """Raise if there are strays and the owner has not chosen what becomes of them."""
    is_chosen = groups is not None
    small = "; ".join(strays.small) or f"fewer than {strays.least} reports each"
    require(
        is_chosen or not strays.by_question,
        "strays_undecided.by_question",
        "groups",
        slug=slug,
        least=LEAST_IN_GROUP,
        small="; ".join(strays.small)
        or f"groups of which fewer than {LEAST_IN_GROUP} were asked it",
    )
    require(
        is_chosen or not strays.from_everybody,
        "strays_undecided.from_everybody",
        "groups",
        slug=slug,
        least=LEAST_IN_GROUP,
        small=small,
    )
    require(
        is_chosen or not strays.from_the_public,
        "strays_undecided.from_the_public",
        "groups",
        slug=slug,
        least=MINIMUM,
        small=small,
    )
