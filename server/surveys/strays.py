"""Strays: the few reports that would show if groups were told apart, and what becomes of them.

A report of a group below the minimum, or of none, is a stray. Strays are counted together.
If they are fewer than the minimum beside larger groups, all reports less those groups would be
these few. So they are held back: no total, group or export counts them, and no group joins them.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from client.core.primitives.refusal import require
from server.surveys.disclosure import LEAST_IN_GROUP, MINIMUM, Sizes
from server.surveys.groups import label_of
from server.surveys.records import Published

# Where the closing puts reports that it holds back. No group has this code.
HELD = "*"


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


def stray_groups(sizes: Sizes, least: int) -> tuple[str, ...]:
    """Return the groups whose reports are strays; the one without a name is always among them."""
    return tuple(sorted({"", *(name for name, size in sizes.items() if size < least)}))


def are_too_few(sizes: Sizes, least: int) -> bool:
    """Tell whether there are strays, but too few to be counted beside the larger groups."""
    strays = stray_groups(sizes, least)
    together = sum(sizes.get(name, 0) for name in strays)
    return 0 < together < least and len(strays) < len({"", *sizes})


@dataclass(frozen=True)
class Strays:
    """Whether a closing that keeps the groups holds back strays, and from whom."""

    from_everybody: bool
    from_the_public: bool
    # The labels of the groups that are too small; none if naming them would tell too much.
    small: tuple[str, ...] = ()

    @property
    def least(self) -> int:
        """The number of reports from which a group is not too small."""
        return LEAST_IN_GROUP if self.from_everybody else MINIMUM

    def __bool__(self) -> bool:
        return self.from_everybody or self.from_the_public


def strays_at_closing(published: Published, sizes: Sizes) -> Strays:
    """Return what a closing that keeps the groups would hold back.

    The counts of groups that people chose are sealed together with the results.
    """
    groups = published.survey.groups
    found = Strays(are_too_few(sizes, LEAST_IN_GROUP), are_too_few(sizes, MINIMUM))
    if published.is_sealed and published.survey.chosen_groups:
        return found
    small = [code for code in stray_groups(sizes, found.least) if code]
    return replace(found, small=tuple(label_of(groups, code) for code in small))


def require_choice(strays: Strays, groups: GroupChoice | None, slug: str) -> None:
    """Raise if there are strays and the owner has not chosen what becomes of them."""
    is_chosen = groups is not None
    small = "; ".join(strays.small) or f"fewer than {strays.least} reports each"
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
