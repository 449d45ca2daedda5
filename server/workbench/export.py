"""The export of a survey: what is in the zip, and the zip of each version."""

from flask.typing import ResponseReturnValue

from server.results.downloads import download
from server.results.export import export_zip
from server.services import services
from server.store.disclosure.small_groups import LEAST_IN_GROUP
from server.workbench.blueprint import workbench
from server.workbench.rendering import render_tab


@workbench.get("/surveys/<slug>/export")
def export(slug: str) -> ResponseReturnValue:
    return render_tab(
        "export.html",
        slug,
        versions=services().store.versions(slug),
        least_in_group=LEAST_IN_GROUP,
    )


@workbench.get("/surveys/<slug>/export/<int:version>")
def export_file(slug: str, version: int) -> ResponseReturnValue:
    name, content = export_zip(services().store, slug, version)
    return download(content, "application/zip", name)
