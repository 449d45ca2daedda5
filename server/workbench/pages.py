"""All pages of the workbench, gathered on its blueprint."""

from server.workbench import account, entrance, people, static, survey, surveys
from server.workbench.blueprint import workbench

__all__ = ["account", "entrance", "people", "static", "survey", "surveys", "workbench"]
