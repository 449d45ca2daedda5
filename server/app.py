"""The application factory: one blueprint per audience, strict headers, one place for errors."""

from typing import Any

from flask import Flask, request

from client.browser.bundle import icon, script_file, style
from server.api import estimates as api_estimates
from server.api import invitations as api_invitations
from server.api import lifecycle as api_lifecycle
from server.api import manuscripts as api_manuscripts
from server.api import openapi
from server.api import operator as api_operator
from server.api import people as api_people
from server.api import surveys as api_surveys
from server.api.blueprint import management
from server.respondents.api import devices
from server.respondents.home import respondents
from server.respondents.lane import ReportLane
from server.respondents.survey_pages import survey_pages
from server.results.pages import results
from server.web.errors import translate_errors
from server.web.headers import add_strict_headers
from server.web.languages import register_languages
from server.web.services import Services
from server.web.urls import is_https
from server.workbench import (
    account,
    analysis,
    invitations,
    login,
    mailing,
    paperwork,
    people,
    surveys,
)
from server.workbench import results as workbench_results
from server.workbench.blueprint import workbench
from server.workbench.editor import download, editing, new_survey, preview, publishing
from server.workbench.planner import planner
from server.workbench.session import keep_sessions

# Modules whose views register themselves on the blueprints of the API and of the workbench.
VIEWS = (
    *(api_surveys, api_lifecycle, api_invitations, api_estimates, api_manuscripts, api_people),
    *(api_operator, openapi),
    *(login, account, surveys, people, invitations, mailing, workbench_results, analysis),
    *(paperwork, new_survey, editing, preview, publishing, download, planner),
)


def create_app(services: Services, url: str | None = None) -> Flask:
    """Create the application for these services; `url` is its public address, if it has one.

    Outside the workbench it has no session and sets no cookie.
    """
    app = Flask("server", static_folder=None)
    register_languages(app)
    app.jinja_env.globals.update(style=style(), icon=icon().address, script=script_file())
    # Redirecting paths with `//` invites open redirects.
    app.url_map.merge_slashes = False
    app.context_processor(_test_flag)
    services.attach(app)
    app.config["PUBLIC_URL"] = None if url is None else url.rstrip("/")
    keep_sessions(app, services.session_key, is_https(url))
    if is_https(url):
        _report_https(app)
    app.register_blueprint(respondents)
    app.register_blueprint(management)
    app.register_blueprint(workbench)
    _register_survey_views(app, "s", "surveys", test=False)
    _register_survey_views(app, "t", "drafts", test=True)
    translate_errors(app)
    add_strict_headers(app)
    app.wsgi_app = ReportLane(app.wsgi_app, services)  # type: ignore[method-assign]
    return app


def _report_https(app: Flask) -> None:
    """Report the scheme https, which the proxy in front uses, to links and form checks."""
    inner = app.wsgi_app

    def outer(environ: dict[str, Any], start_response: Any) -> Any:
        environ["wsgi.url_scheme"] = "https"
        return inner(environ, start_response)

    app.wsgi_app = outer  # type: ignore[method-assign]


def _register_survey_views(app: Flask, pages: str, api_name: str, test: bool) -> None:
    """Register the views of surveys, once for published surveys and once for tests of drafts."""
    for blueprint, prefix in (
        (survey_pages, pages),
        (results, pages),
        (devices, f"api/{api_name}"),
    ):
        app.register_blueprint(
            blueprint,
            name=f"{api_name}_{blueprint.name}",
            url_prefix=f"/{prefix}/<slug>",
            url_defaults={"test": test},
        )


def _test_flag() -> dict[str, Any]:
    """Tell templates whether the page belongs to a test, so that they can mark it."""
    return {"test": (request.view_args or {}).get("test", False)}
