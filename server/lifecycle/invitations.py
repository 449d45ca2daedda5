"""Links: personal ones, each for one report, and the open ones of groups.

What a link carries after # is a personal code that buys one ticket, or the key of a group, which
buys as many as one likes. Of a code only a hash is stored.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from client.core.groups import BY_LINK, Groups
from client.core.primitives.refusal import require
from server.invitations.codes import new_code
from server.invitations.people_file import MOST_PEOPLE
from server.store import invitations as invitation_store
from server.store import reading
from server.surveys import tickets
from server.surveys.disclosure import LEAST_IN_GROUP
from server.surveys.groups import invited_group, label_of
from server.surveys.records import Group, Published
from server.surveys.researchers import OPERATOR
from server.surveys.strays import stray_groups
from server.web.services import Services

MOST_AT_ONCE = MOST_PEOPLE


def invite(
    services: Services, slug: str, count: int, group: str = "", actor: str = OPERATOR
) -> dict[str, Any]:
    """Make codes for personal links of a group, such as arm=treatment."""
    published = reading.newest(services.database.reader, slug)
    require(published.survey.by_invitation, "not_by_invitation", "slug", slug=slug)
    require(1 <= count <= MOST_AT_ONCE, "bad_count", "count", most=MOST_AT_ONCE, count=count)
    in_group = invited_group(published.survey, group)
    _require_large(in_group, count, "count")
    codes = [new_code(in_group) for _ in range(count)]
    hashes = _hashes(services, published, codes)
    services.database.write(invitation_store.invite, published, in_group, hashes, actor)
    return _for_links(published, in_group, codes)


def invite_strata(
    services: Services, slug: str, counts: Mapping[str, int], actor: str = OPERATOR
) -> dict[str, Any]:
    """Make codes for personal links of several groups at once: all of them or none."""
    published = reading.newest(services.database.reader, slug)
    require(published.survey.by_invitation, "not_by_invitation", "slug", slug=slug)
    total = sum(counts.values())
    require(1 <= total <= MOST_AT_ONCE, "bad_count", "counts", most=MOST_AT_ONCE, count=total)
    sizes: Counter[str] = Counter()
    for group, count in counts.items():
        sizes[invited_group(published.survey, group)] += count
    for in_group, size in sizes.items():
        _require_large(in_group, size, "counts")
    codes = {
        in_group: [new_code(in_group) for _ in range(size)] for in_group, size in sizes.items()
    }
    hashes = {in_group: _hashes(services, published, some) for in_group, some in codes.items()}
    services.database.write(invitation_store.invite_strata, published, hashes, actor)
    made = [
        {"group": label_of(published.survey.groups, in_group), "invitations": some}
        for in_group, some in codes.items()
    ]
    return {"slug": slug, "fingerprint": published.survey.fingerprint, "groups": made}


def _require_large(in_group: str, count: int, field: str) -> None:
    large = not in_group or count >= LEAST_IN_GROUP
    require(large, "group_too_small", field, least=LEAST_IN_GROUP, count=count)


def open_link(services: Services, slug: str, group: str = "") -> dict[str, Any]:
    """Return what an open link carries: nothing, or the key of a group such as arm=treatment."""
    published = reading.newest(services.database.reader, slug)
    require(not published.survey.by_invitation, "by_invitation", "slug", slug=slug)
    return _open_link(services, published, invited_group(published.survey, group))


def open_links(services: Services, slug: str) -> list[dict[str, Any]]:
    """Return what the open link of each group carries; none if the survey is by invitation."""
    published = reading.newest(services.database.reader, slug)
    survey = published.survey
    if survey.by_invitation:
        return []
    codes = survey.groups.codes if survey.groups and survey.groups.by == BY_LINK else ("",)
    return [_open_link(services, published, in_group) for in_group in codes]


def _open_link(services: Services, published: Published, in_group: str) -> dict[str, Any]:
    fingerprint = published.survey.fingerprint
    key = tickets.group_key(services.secret, fingerprint, in_group) if in_group else ""
    return _for_links(published, in_group, [key])


def status(services: Services, slug: str) -> dict[str, Any]:
    """Count links, tickets and reports; never say which.

    On an invited survey links made and tickets given are counted by group, and reports only all
    together. Otherwise reports are, by group.
    """
    reader = services.database.reader
    published = reading.newest(reader, slug)
    survey, is_closed = published.survey, published.digest is not None
    groups = reading.groups_of(reader, slug)
    is_rounded = not (survey.by_invitation or is_closed) and len(groups) > 1
    counts: Mapping[str, Mapping[str, int | None]] = (
        _links_by_group(groups, survey.groups)
        if survey.by_invitation
        else _reports_by_group(groups, is_rounded)
    )
    return {
        "slug": slug,
        "by_invitation": survey.by_invitation,
        **(invitation_store.link_counts(reader, published) if survey.by_invitation else {}),
        "merged_groups": sum(group.merged for group in groups),
        "held_back": is_closed and sum(group.reports for group in groups) < published.reports,
        "rounded": is_rounded,
        "groups": [
            {"group": label_of(survey.groups, code), **count} for code, count in counts.items()
        ],
    }


def _links_by_group(groups: list[Group], declared: Groups | None) -> dict[str, dict[str, int]]:
    """Count links and tickets by the group that the link sets."""
    by_link = declared is not None and declared.by == BY_LINK
    return {
        group.name: {"issued": group.issued, "given": group.given}
        for group in groups
        if group.issued or bool(group.name) == by_link
    }


def _reports_by_group(groups: list[Group], is_rounded: bool) -> dict[str, dict[str, int | None]]:
    """Count reports by group; while the survey is open, rounded down, and None for small groups.

    So the counts do not tell the group of a report that the live results show arriving. Small
    groups are counted together.
    """
    sizes = {group.name: group.reports for group in groups}
    if is_rounded:
        strays = stray_groups(sizes, LEAST_IN_GROUP)
        together = sum(sizes[name] for name in strays)
        sizes = {name: size for name, size in sizes.items() if name not in strays}
        sizes |= {"": together} if together >= LEAST_IN_GROUP else {}
        sizes = {name: size - size % LEAST_IN_GROUP for name, size in sizes.items()}
    return {
        group.name: {"used": sizes.get(group.name)}
        for group in groups
        # Where there are groups, only merged ones are without a name.
        if group.name or sizes.get("") or len(groups) == 1
    }


def _hashes(services: Services, published: Published, codes: Iterable[str]) -> list[bytes]:
    fingerprint = published.survey.fingerprint
    return [tickets.link_hash(services.secret, fingerprint, code) for code in codes]


def _for_links(published: Published, in_group: str, invitations: list[str]) -> dict[str, Any]:
    survey = published.survey
    group = label_of(survey.groups, in_group)
    named = {"slug": survey.slug, "fingerprint": survey.fingerprint, "group": group}
    return {**named, "invitations": invitations}
