"""All pages of the workbench, gathered on its blueprint."""

from server.workbench import (
    account,
    entrance,
    export,
    invitations,
    people,
    results,
    static,
    survey,
    surveys,
)
from server.workbench.blueprint import workbench
from server.workbench.editor import beginning, download, editing, preview, publishing, trying
from server.workbench.planner import planner

__all__ = [
    "account",
    "beginning",
    "download",
    "editing",
    "entrance",
    "export",
    "invitations",
    "people",
    "planner",
    "preview",
    "publishing",
    "results",
    "static",
    "survey",
    "surveys",
    "trying",
    "workbench",
]
