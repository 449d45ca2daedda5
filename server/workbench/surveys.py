"""The first page: the surveys that a researcher has a part in."""

from flask.typing import ResponseReturnValue

from server.services import services
from server.workbench.blueprint import workbench
from server.workbench.rendering import render
from server.workbench.session import me


@workbench.get("")
def surveys() -> ResponseReturnValue:
    return render("surveys.html", surveys=services().office.surveys(me()))
