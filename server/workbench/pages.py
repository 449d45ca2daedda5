"""All pages of the workbench, gathered on its blueprint."""

from server.workbench import (
    account,
    entrance,
    export,
    people,
    planner,
    results,
    static,
    survey,
    surveys,
)
from server.workbench.blueprint import workbench

__all__ = [
    "account",
    "entrance",
    "export",
    "people",
    "planner",
    "results",
    "static",
    "survey",
    "surveys",
    "workbench",
]
