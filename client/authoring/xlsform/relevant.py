"""The column `relevant`: expressions about earlier questions that a device can evaluate."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from client.core.conditions import ALL, ANY

_NAME = r"\$\{\s*([A-Za-z_][\w.-]*)\s*\}"
_VALUE = r"""(?:'([^']*)'|"([^"]*)"|(-?[0-9]+))"""
_IS = re.compile(rf"{_NAME}\s*=\s*{_VALUE}")
_SELECTED = re.compile(rf"selected\(\s*{_NAME}\s*,\s*{_VALUE}\s*\)")
_BOUND = re.compile(rf"{_NAME}\s*(>=|<=|>|<)\s*'?(-?[0-9]+(?:\.[0-9]+)?)'?")
_WORD = {ANY: re.compile(r"\s+or\s+", re.IGNORECASE), ALL: re.compile(r"\s+and\s+", re.IGNORECASE)}


@dataclass(frozen=True)
class Term:
    """A comparison: an earlier question is one of these values, or has these bounds."""

    question: str
    values: tuple[str, ...] = ()
    # Signs and numbers, such as (">=", "1").
    bounds: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Relevant:
    """One term, or several that are joined by "all" or "any"."""

    terms: tuple[Term, ...]
    joined: str = ALL


def read_relevant(text: str) -> Relevant | None:
    """Return the terms of an expression; None if a device could not evaluate it."""
    plain = _without_brackets(text)
    # "and" binds more tightly than "or".
    for joined in (ANY, ALL):
        parts = list(_split(plain, joined))
        if len(parts) > 1:
            return _join([read_relevant(part) for part in parts], joined)
    term = _read_term(plain)
    return None if term is None else Relevant((term,))


def _read_term(text: str) -> Term | None:
    if match := _BOUND.fullmatch(text):
        return Term(match[1], bounds=((match[2], match[3]),))
    if match := _IS.fullmatch(text) or _SELECTED.fullmatch(text):
        return Term(match[1], tuple(value for value in match.groups()[1:] if value is not None))
    return None


def _join(parts: Sequence[Relevant | None], joined: str) -> Relevant | None:
    """Join expressions; None if one of them joins several questions in the other way."""
    terms: list[Term] = []
    for part in parts:
        if part is None or (len(part.terms) > 1 and part.joined != joined):
            return None
        for term in part.terms:
            _add(terms, term, joined)
    return Relevant(tuple(terms), joined if len(terms) > 1 else ALL)


def _add(terms: list[Term], new: Term, joined: str) -> None:
    """Add a term: values of one question joined by "or" are one, bounds joined by "and" too."""
    for place, old in enumerate(terms):
        if old.question != new.question:
            continue
        if joined == ANY and old.values and new.values:
            terms[place] = Term(old.question, (*old.values, *new.values))
            return
        if joined == ALL and old.bounds and new.bounds:
            terms[place] = Term(old.question, bounds=(*old.bounds, *new.bounds))
            return
    terms.append(new)


def _split(text: str, joined: str) -> Iterator[str]:
    """Yield the parts between words that stand outside brackets and quotes."""
    start = 0
    for match in _WORD[joined].finditer(text):
        before = re.sub(r"'[^']*'|\"[^\"]*\"", "", text[: match.start()])
        is_quoted = "'" in before or '"' in before
        if not is_quoted and before.count("(") == before.count(")"):
            yield text[start : match.start()]
            start = match.end()
    yield text[start:]


def _without_brackets(text: str) -> str:
    """Return the text without outer spaces and without brackets around the whole of it."""
    plain = text.strip()
    while plain.startswith("(") and plain.endswith(")"):
        depths = [
            plain[: place + 1].count("(") - plain[: place + 1].count(")")
            for place in range(len(plain) - 1)
        ]
        if min(depths) < 1:
            break
        plain = plain[1:-1].strip()
    return plain


def write_relevant(rule: Relevant) -> str:
    """Write the terms so that `read_relevant` returns them."""
    parts = [_write_term(term) for term in rule.terms]
    if len(parts) == 1:
        return parts[0]
    word = " and " if rule.joined == ALL else " or "
    return word.join(f"({part})" for part in parts)


def _write_term(term: Term) -> str:
    name = f"${{{term.question}}}"
    if term.bounds:
        return " and ".join(f"{name} {sign} {number}" for sign, number in term.bounds)
    return " or ".join(f"{name} = '{value}'" for value in term.values)
