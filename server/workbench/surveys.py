"""The first page: the surveys that a researcher has a part in."""

from flask.typing import ResponseReturnValue

from server.life.manuscripts import draft_of
from server.services import services
from server.workbench.blueprint import workbench
from server.workbench.editor.naming import title_of
from server.workbench.rendering import render
from server.workbench.session import me


@workbench.get("")
def surveys() -> ResponseReturnValue:
    office = services().office
    return render(
        "surveys.html",
        surveys=office.surveys(me()),
        manuscripts=[(item, title_of(draft_of(item))) for item in office.manuscripts(me())],
    )
