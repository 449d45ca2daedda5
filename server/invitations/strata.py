"""Strata of a list of people: the group of each row, by columns that hold the survey's factors."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from client.core.groups import BY_LINK, Factor, Groups
from client.core.primitives.refusal import Refusal, require
from client.core.survey import Survey
from server.invitations.people_file import FIELD, People
from server.surveys.disclosure import LEAST_IN_GROUP

STRATA = "strata"


def columns_of(survey: Survey, strata: str) -> dict[str, str]:
    """Return the column of each factor from text such as `arm,age=Age band`.

    Without any text, each factor's column has the factor's id as its name.
    """
    factors = [factor.id for factor in _factors(survey)]
    require(
        bool(factors) or not strata.strip(), "no_strata", STRATA, slug=survey.slug, strata=strata
    )
    named = [part.partition("=") for part in strata.split(",") if part.strip()]
    chosen = {id.strip(): (column or id).strip() for id, _, column in named}
    chosen = chosen or {id: id for id in factors}
    complete = sorted(chosen) == sorted(factors) and len(named) in (0, len(factors))
    require(complete, "bad_strata", STRATA, wanted=factors, strata=strata)
    return {id: chosen[id] for id in factors}


def groups_of(survey: Survey, people: People, columns: Mapping[str, str]) -> list[str]:
    """Return the group of each row; raise if a cell is no level or a group would be too small."""
    factors = _factors(survey)
    if not factors:
        return [""] * len(people)
    digits = [_levels(survey, place, people, columns) for place in range(len(factors))]
    codes = ["-".join(row) for row in zip(*digits, strict=True)]
    _require_large(survey.groups, codes)
    return codes


def _factors(survey: Survey) -> tuple[Factor, ...]:
    groups = survey.groups
    return groups.factors if groups is not None and groups.by == BY_LINK else ()


def _levels(survey: Survey, place: int, people: People, columns: Mapping[str, str]) -> list[str]:
    """Return the digit of each row for one factor; its levels may be in any of the languages."""
    factor = _factors(survey)[place]
    column = columns[factor.id]
    digits = {
        _plain(label): str(level)
        for language in survey.languages
        for level, label in enumerate(_levels_in(survey, language, place))
    }
    cells = people.cells(column)
    found = [digits.get(_plain(cell)) for cell in cells]
    bad = [row for row, digit in enumerate(found) if digit is None]
    if bad:
        raise Refusal(
            "bad_stratum.others" if len(bad) > 1 else "bad_stratum",
            FIELD,
            row=people.numbers[bad[0]],
            column=column,
            value=cells[bad[0]],
            known=list(factor.levels),
            others=len(bad) - 1,
        )
    return [str(digit) for digit in found]


def _levels_in(survey: Survey, language: str, place: int) -> tuple[str, ...]:
    groups = survey.in_language(language).groups
    assert groups is not None
    return groups.factors[place].levels


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _require_large(groups: Groups | None, codes: Sequence[str]) -> None:
    """Raise if a stratum has too few people, and name the factors without which none would."""
    assert groups is not None
    small = [code for code, count in sorted(Counter(codes).items()) if count < LEAST_IN_GROUP]
    if not small:
        return
    sizes = Counter(codes)
    named = [f"{groups.label(code)} ({sizes[code]})" for code in small]
    ids = [factor.id for factor in groups.factors]
    helpful = [id for place, id in enumerate(ids) if len(ids) > 1 and _is_large(codes, place)]
    raise Refusal(
        "strata_too_small.without" if helpful else "strata_too_small",
        STRATA,
        least=LEAST_IN_GROUP,
        small=named,
        without=" or ".join(helpful),
    )


def _is_large(codes: Iterable[str], left_out: int) -> bool:
    """Tell whether all strata are large enough if one factor is left out."""
    fewer = Counter(
        tuple(digit for place, digit in enumerate(code.split("-")) if place != left_out)
        for code in codes
    )
    return min(fewer.values()) >= LEAST_IN_GROUP
