"""For respondents: what is there without any survey, the client's own files above all."""

from pathlib import Path

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from client.authoring.schema import PATH, schema_bytes
from client.browser.bundle import files
from server.web.static_files import file_for_ever, static_bytes
from server.web.urls import ADDRESS

ROOT = Path(__file__).parent.parent.parent

respondents = Blueprint("respondents", __name__)


@respondents.get("/")
def home() -> ResponseReturnValue:
    return render_template("home.html", workbench=ADDRESS)


@respondents.get(PATH)
def schema() -> ResponseReturnValue:
    return static_bytes(schema_bytes(), "application/schema+json")


@respondents.get("/client/<name>")
def client_file(name: str) -> ResponseReturnValue:
    return file_for_ever(files(), f"/client/{name}")
