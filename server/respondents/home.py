"""What belongs to no survey: home page, health, schema of survey files, client files."""

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from client.authoring.schema import PATH, schema_bytes
from client.browser.bundle import served_files
from server.web.metrics import require_health
from server.web.services import services
from server.web.static_files import file_for_ever, static_bytes
from server.web.urls import ADDRESS

respondents = Blueprint("respondents", __name__)


@respondents.get("/")
def home() -> ResponseReturnValue:
    return render_template("home.html", workbench=ADDRESS)


@respondents.get("/healthz")
def health() -> ResponseReturnValue:
    """Answer 200 if reports could be stored now, and 503 if not."""
    require_health(services())
    return static_bytes(b"ok\n", "text/plain")


@respondents.get(PATH)
def schema() -> ResponseReturnValue:
    return static_bytes(schema_bytes(), "application/schema+json")


@respondents.get("/client/<name>")
def client_file(name: str) -> ResponseReturnValue:
    return file_for_ever(served_files(), f"/client/{name}")
