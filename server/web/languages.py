"""The language of the server's own pages: Flask-Babel chooses it and formats figures.

Texts do not come from Babel's catalogues but from the JSON catalogues that the scripts and the
terminal client use too: one text, one place. Texts that only the server needs are in
`server/texts`, so that no respondent's page has to load them.
"""

import re
from decimal import Decimal
from functools import cache
from importlib.resources import files

from flask import Flask, Response, g, request
from flask_babel import Babel, format_decimal, format_percent, get_locale

from client.core.survey import Survey
from client.core.translation import DEFAULT, LocalizedSurvey
from client.wording.catalogue import TEXTS, Wording, read_texts
from client.wording.languages import INTERFACE, best, direction
from server.web.urls import in_workbench

OWN_TEXTS = files("server") / "texts"


def register_languages(app: Flask) -> None:
    """Let every template say texts and format figures in the language of the request."""
    Babel(app, configure_jinja=False, default_locale=DEFAULT, locale_selector=_best_for_reader)
    spoken = (decimal, direction, exact, number, own_name, percent, say, wording)
    app.jinja_env.globals.update({function.__name__: function for function in spoken})
    app.after_request(_vary)


def wording() -> Wording:
    """Return the texts in the reader's language."""
    g.speaks_to_reader = True
    return in_language(str(get_locale()))


@cache
def in_language(language: str) -> Wording:
    """Return all texts of server and client in a language."""
    return Wording(language, {**read_texts(TEXTS, language), **read_texts(OWN_TEXTS, language)})


def localize(survey: Survey) -> LocalizedSurvey:
    """Return the survey in the reader's preferred language, or else in its own."""
    g.speaks_to_reader = True
    return survey.in_language(best(_preferred(), survey.languages) or survey.language)


def own_name(language: str) -> str:
    """Return a language's name in that language, as its readers know it."""
    try:
        name = get_locale().parse(language, sep="-").get_display_name()
    except ValueError:
        # Nobody has told us the name of this language.
        return language
    return f"{name[0].upper()}{name[1:]}"


def say(key: str, **values: str | int) -> str:
    return wording().say(key, **values)


def number(value: float) -> str:
    """Format a count, or an estimate of one."""
    return str(format_decimal(round(value)))


def decimal(value: float) -> str:
    """Format a figure with two decimals."""
    return str(format_decimal(value, "#,##0.00"))


def exact(figure: str) -> str:
    """Format a level of a question, with all its decimals."""
    return wording().decimal(Decimal(figure))


def percent(share: float, decimals: int = 1) -> str:
    """Format a share as a percentage."""
    pattern = get_locale().percent_formats[None].pattern
    precise = re.sub(r"0(?=\D*$)", f"0.{'0' * decimals}".rstrip("."), pattern)
    return str(format_percent(share, precise))


def _best_for_reader() -> str:
    if in_workbench(request.path):
        return DEFAULT
    return best(_preferred(), INTERFACE) or DEFAULT


def _preferred() -> list[str]:
    """Return the reader's languages: the chosen one, then those of the browser."""
    chosen = request.args.get("language")
    return [*([chosen] if chosen else []), *request.accept_languages.values()]


def _vary(response: Response) -> Response:
    if "speaks_to_reader" in g:
        response.vary.add("Accept-Language")
    return response
