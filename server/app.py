"""The application factory: one blueprint per audience, strict headers, one place for errors."""

from flask import Flask

from client.wording import say
from server.api import api
from server.errors import translate_errors
from server.headers import add_strict_headers
from server.operator import operator
from server.respondents import ROOT, respondents
from server.results import results
from server.services import Services


def create_app(services: Services) -> Flask:
    """An application on these services. It has no session and sets no cookie."""
    app = Flask("server", static_folder=None, template_folder=str(ROOT / "templates"))
    # The page's few fixed texts come from the catalogue that its scripts use.
    app.jinja_env.globals["say"] = say
    # A path is right or wrong: redirecting `//` invites open redirects.
    app.url_map.merge_slashes = False
    services.attach(app)
    for blueprint in (respondents, api, operator, results):
        app.register_blueprint(blueprint)
    translate_errors(app)
    add_strict_headers(app)
    return app
