"""The codebook: what every column of the reports and every number in it stands for."""

from collections.abc import Iterator
from html import escape
from typing import Any

from client.decimals import decimal_text
from client.kinds import Number, Scale
from client.question import Question
from client.survey import Survey

_SHAPE = ("options", "size", "asked", "at_most", "top", "width")
COLUMNS = (
    *("question", "kind", "prompt", "option", "label", "goal", "lo", "hi", "step", "unit"),
    *("show_if_question", "show_if_options", "epsilon", "mechanism", "threshold"),
    *_SHAPE,
)
_STYLE = (
    "body{font:1rem/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}"
    "table{border-collapse:collapse}th,td{text-align:start;padding:.2rem .8rem .2rem 0;"
    "border-bottom:1px solid #ccc;vertical-align:top}code{background:#f2f2f2}"
)


def rows(survey: Survey) -> Iterator[dict[str, Any]]:
    """One row per option of each question; one where the answer is a number."""
    for question in survey.questions:
        about = _question(question)
        for option, label in enumerate(question.options):
            yield {**about, "option": option, "label": label}
        if not question.options:
            yield about


def _question(question: Question) -> dict[str, Any]:
    kind, mechanism, rule = question.kind, question.mechanism, question.show_if
    ordered = kind if isinstance(kind, Scale | Number) else None
    return {
        "question": question.id,
        "kind": kind.name,
        "prompt": question.prompt,
        "goal": kind.goal,
        "lo": ordered and str(ordered.lo),
        "hi": ordered and str(ordered.hi),
        "step": ordered and str(ordered.step),
        "unit": question.unit,
        "show_if_question": rule and rule.question,
        "show_if_options": rule and " ".join(map(str, rule.options)),
        "epsilon": decimal_text(question.epsilon),
        "mechanism": mechanism.name,
        "threshold": mechanism.threshold,
        **mechanism.shape,
    }


def page(survey: Survey, n: int) -> str:
    """The same for people: one file that needs no other."""
    title = escape(f"{survey.title}: codebook")
    sections = "\n".join(_section(question) for question in survey.questions)
    return (
        f'<!doctype html>\n<html lang="{escape(survey.language)}">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n<h1>{title}</h1>\n"
        f"<p>{escape(survey.slug)}, version {survey.version}, {n:,} reports. Fingerprint "
        f"<code>{survey.fingerprint}</code>. Total epsilon per person: "
        f"{decimal_text(survey.total_epsilon)}.</p>\n"
        "<p>Every number in reports.csv was randomized on the respondent's device. It is not what "
        "the person answered.</p>\n"
        f"{sections}\n</html>\n"
    )


def _section(question: Question) -> str:
    facts = {
        key: value
        for key, value in _question(question).items()
        if key not in ("question", "prompt") and value not in (None, "")
    }
    lines = "".join(
        f"<tr><th>{escape(key)}</th><td>{escape(str(value))}</td></tr>\n"
        for key, value in facts.items()
    )
    options = "".join(
        f"<tr><td>{option}</td><td>{escape(label)}</td></tr>\n"
        for option, label in enumerate(question.options)
    )
    listed = f"<table>\n<tr><th>option</th><th>label</th></tr>\n{options}</table>\n"
    return (
        f"<h2><code>{question.id}</code></h2>\n<p>{escape(question.prompt)}</p>\n"
        f"<table>\n{lines}</table>\n{listed if options else ''}"
    )
