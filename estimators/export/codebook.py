"""The codebook, as a table and as a page: what every question and option number stands for."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby, product
from typing import Any

from client.core.groups import Factor
from client.core.primitives import canonical
from client.core.primitives.domain import Levels
from client.core.primitives.values import decimal_text
from client.core.question import Question
from client.core.survey import Survey
from client.wording.levels import level_name
from client.wording.mechanisms import sends
from estimators.cross.crossing import TwoSided
from estimators.export import columns
from estimators.export.design import rule_of

# The kind of a factor, which is no question.
FACTOR = "factor"
_SHAPE = ("options", "size", "asked", "at_most", "top", "width", "silent")
COLUMNS = (
    *("question", "kind", "prompt", "option", "label", "row", "column"),
    *("goal", "lo", "hi", "step", "unit"),
    *("show_if", "epsilon", "mechanism", "threshold"),
    *_SHAPE,
)


def rows(survey: Survey) -> Iterator[dict[str, Any]]:
    """Yield one row per option of each question, or one row if the answer is a number.

    A number that can be declined has a row for each of its options for silence.
    After the questions come the factors of the groups, which are not randomized.
    """
    for question in survey.questions:
        about, cells = facts(question), _cells(question)
        for option, label in numbered_options(question):
            row, column = cells[option] if option < len(cells) else ("", "")
            yield {**about, "option": option, "label": label, "row": row, "column": column}
        if not question.options:
            yield about
    for factor in _factors(survey):
        about = {"question": factor.id, "kind": FACTOR, "prompt": factor.prompt}
        for option, label in enumerate(factor.labels):
            yield {**about, "option": option, "label": label}


def _factors(survey: Survey) -> tuple[Factor, ...]:
    return survey.groups.factors if survey.groups else ()


def numbered_options(question: Question) -> list[tuple[int, str]]:
    """Return the options with their numbers; those of a number come after its levels."""
    domain, labels = question.domain, question.options
    first = domain.count - len(labels) if isinstance(domain, Levels) else 0
    return list(enumerate(labels, first))


def _cells(question: Question) -> list[tuple[str, str]]:
    """Return the row and the column of each cell, if the first options are those of a table."""
    kind = question.kind
    return list(product(kind.rows, kind.columns)) if isinstance(kind, TwoSided) else []


def facts(question: Question) -> dict[str, Any]:
    """Return the fields that are the same for all options of a question."""
    kind, mechanism, rule = question.kind, question.mechanism, question.show_if
    grid = kind.grid
    return {
        "question": question.id,
        "kind": kind.name,
        "prompt": question.prompt,
        "goal": kind.goal,
        "lo": grid and str(grid.lo),
        "hi": grid and str(grid.hi),
        "step": grid and str(grid.step),
        "unit": question.unit,
        "show_if": rule and canonical.canonical(rule.as_json()).decode(),
        "epsilon": decimal_text(question.epsilon),
        "mechanism": mechanism.name,
        "threshold": mechanism.threshold,
        **mechanism.shape,
    }


# A phone shows each row as a block; long lists of options are folded.
_STYLE = """
body{font:1rem/1.5 sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem;color:#1a1a1a;
overflow-wrap:break-word}
h2{margin-top:2.5rem;border-top:2px solid #1a1a1a;padding-top:1rem}
table{border-collapse:collapse;margin:1rem 0}
th,td{text-align:start;padding:.3rem 1rem .3rem 0;border-bottom:1px solid #ccc;vertical-align:top}
td+td{overflow-wrap:anywhere}
.wide td+td+td{color:#555}
code{background:#f2f2f2;padding:0 .2rem}
@media(max-width:40rem){.wide thead{display:none}.wide tr{display:block;padding:.4rem 0;
border-bottom:1px solid #ccc}.wide td{display:block;border:0;padding:0}.wide td:empty{display:none}}
"""
MOST_SHOWN = 30


def page(survey: Survey, n: int) -> str:
    """Return the codebook as an HTML page."""
    title = escape(f"{survey.title}: codebook")
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n"
        f'<h1 dir="auto">{title}</h1>\n'
        f"{_heading(survey, n)}"
        f"{''.join(_section(survey, question) for question in survey.questions)}"
        f"{_groups(survey)}{_columns(survey)}</html>\n"
    )


def _heading(survey: Survey, n: int) -> str:
    total = decimal_text(survey.total_epsilon)
    organizer = f", {escape(survey.organizer)}" if survey.organizer else ""
    return (
        f"<p>Survey <code>{escape(survey.slug)}</code>, version {survey.version}{organizer}. "
        f"{n:,} reports.</p>\n"
        "<p>Every number in reports.csv was randomized on the respondent's device before it was "
        "sent. It is not what the person answered; only the estimates describe the truth.</p>\n"
        f"<p>Promise: total epsilon {total} per person ({level_name(survey.total_epsilon)}). "
        f"Whatever somebody answered, no report is more than e^{total} times as likely as with "
        "other answers. <code>python promise.py</code> checks it.</p>\n"
        f"<p>Fingerprint of survey.json (SHA-256): <code>{survey.fingerprint}</code></p>\n"
    )


def _section(survey: Survey, question: Question) -> str:
    mechanism = question.mechanism
    known = {"question", "prompt", "kind", "epsilon", "mechanism"}
    rest = [
        (key, str(value))
        for key, value in facts(question).items()
        if key not in known and value not in (None, "")
    ]
    if mechanism.support:
        rest += [(name, repr(float(x))) for name, x in zip("pq", mechanism.support, strict=True)]
    sentence = (
        f"Kind <code>{question.kind.name}</code>, epsilon {decimal_text(question.epsilon)}, "
        f"{escape(mechanism.title)} (<code>{mechanism.name}</code>)."
    )
    return (
        f"<h2><code>{question.id}</code></h2>\n"
        f'<p lang="{escape(survey.language)}" dir="auto">{escape(question.prompt)}</p>\n'
        f"<p>{sentence} What is sent: {escape(sends(mechanism))}</p>\n"
        f"<p>{escape(rule_of(mechanism))}</p>\n"
        f"{_table(('', ''), rest)}{_options(question)}"
    )


def _groups(survey: Survey) -> str:
    """Return the sections of the factors, which are sent as they are."""
    about = "Sent as it is, so that groups can be compared: this is not randomized."
    return "".join(
        f"<h2><code>{factor.id}</code></h2>\n"
        f'<p lang="{escape(survey.language)}" dir="auto">{escape(factor.prompt)}</p>\n'
        f"<p>{about}</p>\n{_table(('', ''), ((label, '') for label in factor.labels))}"
        for factor in _factors(survey)
    )


def _options(question: Question) -> str:
    if not question.options:
        return ""
    numbered = ((str(option), label) for option, label in numbered_options(question))
    return _folded(_table(("option", "label"), numbered), len(question.options), "options")


def _columns(survey: Survey) -> str:
    parts = ["<h2>Columns of the tables</h2>\n"]
    for file, found in groupby(columns.rows(survey), lambda row: row["file"]):
        # The columns of reports.csv are described above, question by question.
        if file != "reports.csv":
            cells = [(row["column"], row["meaning"], row["formula"]) for row in found]
            listed = _table(("column", "meaning", "formula"), cells, "wide")
            # scores.csv has a column per option.
            shown = _folded(listed, len(cells), "columns") if file == "scores.csv" else listed
            parts.append(f"<h3><code>{file}</code></h3>\n{shown}")
    return "".join(parts)


def _folded(listed: str, count: int, what: str) -> str:
    """Return a table that is folded if it is long."""
    if count <= MOST_SHOWN:
        return listed
    return f"<details><summary>{count:,} {what}</summary>\n{listed}</details>\n"


def _table(heading: Sequence[str], rows: Iterable[Sequence[Any]], style: str = "") -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in heading)
    shown = f"<thead><tr>{head}</tr></thead>\n" if any(heading) else ""
    lines = "".join(f"<tr>{''.join(map(_cell, row))}</tr>\n" for row in map(enumerate, rows))
    return f'<table class="{style}">\n{shown}{lines}</table>\n'


def _cell(numbered: tuple[int, Any]) -> str:
    place, text = numbered
    return f"<td><code>{escape(text)}</code></td>" if place == 0 else f"<td>{escape(text)}</td>"
