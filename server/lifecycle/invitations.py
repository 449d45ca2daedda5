"""Invitations: personal links, each for one report, and open links of a group.

What a link carries after # is an invitation: a personal code that buys one ticket, or the key of a
group, which buys as many as one likes. Of a code only the hash of its ticket is stored.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from client.core.groups import BY_CHOICE, BY_LINK, Groups
from client.core.primitives.refusal import require
from server.invitations.codes import new_code, read_code
from server.invitations.people_file import MOST_PEOPLE
from server.store import ballot_box, reading
from server.store import groups as group_store
from server.surveys import tickets
from server.surveys.ballots.decisions import unknown_invitation
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
    """Make codes for personal links of a group, such as arm=treatment.

    Only the hashes of their tickets are stored.
    """
    published = reading.newest(services.database.reader, slug)
    require(published.survey.by_invitation, "not_by_invitation", "slug", slug=slug)
    require(1 <= count <= MOST_AT_ONCE, "bad_count", "count", most=MOST_AT_ONCE, count=count)
    in_group = invited_group(published.survey, group)
    _require_large(in_group, count, "count")
    codes = [new_code() for _ in range(count)]
    bought = (_ticket(services, published, code, in_group) for code in codes)
    hashes = list(map(tickets.hash_of, bought))
    services.database.write(group_store.invite, published, in_group, hashes, actor)
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
    codes = {in_group: [new_code() for _ in range(size)] for in_group, size in sizes.items()}
    hashes = {
        in_group: [tickets.hash_of(_ticket(services, published, code, in_group)) for code in some]
        for in_group, some in codes.items()
    }
    services.database.write(group_store.invite_strata, published, hashes, actor)
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


def redeem(services: Services, published: Published, invitation: str) -> str:
    """Return the ticket for an invitation: the one of a code, or a fresh one of a group."""
    survey = published.survey
    if survey.by_invitation:
        return _personal_ticket(services, published, invitation)
    if survey.test or not tickets.is_group_key(services.secret, survey.fingerprint, invitation):
        raise unknown_invitation()
    return tickets.issue(services.secret, survey.fingerprint, tickets.group_of(invitation))


def status(services: Services, slug: str) -> dict[str, Any]:
    """Count the links that were made and used, by group; never say which."""
    published = reading.newest(services.database.reader, slug)
    survey, is_closed = published.survey, published.digest is not None
    groups = reading.groups_of(services.database.reader, slug)
    is_rounded = not (survey.by_invitation or is_closed) and len(groups) > 1
    counts: Mapping[str, Mapping[str, int | None]] = (
        _used_personally(groups, survey.groups)
        if survey.by_invitation
        else _reports_by_group(groups, is_rounded)
    )
    return {
        "slug": slug,
        "by_invitation": survey.by_invitation,
        "merged_groups": sum(group.merged for group in groups),
        "held_back": is_closed and sum(group.reports for group in groups) < published.reports,
        "rounded": is_rounded,
        "groups": [
            {"group": label_of(survey.groups, code), **count} for code, count in counts.items()
        ],
    }


def _used_personally(groups: list[Group], declared: Groups | None) -> dict[str, dict[str, int]]:
    """Count personal links by the group that they are for.

    A group that respondents choose is in no link. Its count would tell, before the closing, the
    group of somebody whose link was just used.
    """
    if declared is not None and declared.by == BY_CHOICE:
        issued, used = (sum(group.issued for group in groups), sum(g.reports for g in groups))
        groups = [Group("", issued, used, 0)]
    return {
        group.name: {
            "issued": group.issued,
            "used": group.reports,
            "unused": group.issued - group.reports,
        }
        for group in groups
        if group.name or group.issued or declared is None
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


def _personal_ticket(services: Services, published: Published, invitation: str) -> str:
    """Return the ticket of a code, always the same one; raise if it is unknown or was used."""
    code, reader = read_code(invitation), services.database.reader
    groups = reading.groups(reader, published) if code else []
    # A code does not say its group: it was invited if its ticket in one of them was.
    for group in groups:
        ticket = _ticket(services, published, str(code), group.name)
        used = ballot_box.is_used(reader, published, tickets.hash_of(ticket))
        if used is not None:
            require(not used, "link_used", "invitation")
            return ticket
    raise unknown_invitation()


def _ticket(services: Services, published: Published, code: str, group: str) -> str:
    return tickets.for_code(services.secret, published.survey.fingerprint, code, group)


def _for_links(published: Published, in_group: str, invitations: list[str]) -> dict[str, Any]:
    survey = published.survey
    group = label_of(survey.groups, in_group)
    named = {"slug": survey.slug, "fingerprint": survey.fingerprint, "group": group}
    return {**named, "invitations": invitations}
