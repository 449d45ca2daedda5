"""The settings that a form made elsewhere leaves out: a title, a name in links, a budget."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

from client.authoring.draft.budget import USUAL_TOTAL
from client.authoring.imports.languages import Languages
from client.authoring.imports.losses import Losses
from client.authoring.xlsform.sheets import Row, Sheet
from client.authoring.xlsform.texts import language_code, language_name
from client.core.primitives.refusal import Refusal
from client.core.survey import SLUG
from client.core.translation import DEFAULT

_MOST_SLUG = 63


def complete_settings(
    sheet: Sheet | None, asked: Sequence[Row], name: str, languages: Languages, losses: Losses
) -> Row:
    """Return the one row of settings, with usual values where it has none."""
    rows = sheet.rows if sheet else ()
    row = rows[0] if rows else Row("settings", 2, {})
    for other in rows[1:]:
        losses.leave_out(other, Refusal("left_out.settings"))
    file = PurePath(name).stem.strip() or "survey"
    if not languages.texts(row, "form_title"):
        title = row.cells.get("form_id", "").strip() or file
        losses.change(row, Refusal("changed.title", "form_title", title=title))
        row = languages.with_texts(row, "form_title", {languages.own: title})
    row = _with_slug(row, file, languages, losses)
    row = _with_language(row, languages, losses)
    budgets = [one.cells.get("epsilon", "") for one in asked]
    budgets += [row.cells.get(column, "") for column in ("epsilon", "total_epsilon")]
    if not any(text.strip() for text in budgets):
        losses.change(row, Refusal("changed.budget", "total_epsilon", total=USUAL_TOTAL))
        row = _set(row, "total_epsilon", USUAL_TOTAL)
    return row


def _with_slug(row: Row, file: str, languages: Languages, losses: Losses) -> Row:
    written = row.cells.get("form_id", "").strip()
    title = languages.texts(row, "form_title").get(languages.own, "")
    for text in (written, title, file, "survey"):
        slug = re.sub(r"[^a-z0-9]+", "-", text.lower())[:_MOST_SLUG].strip("-")
        if SLUG.fullmatch(slug):
            break
    if not SLUG.fullmatch(written.lower().replace("_", "-").replace(" ", "-")):
        losses.change(row, Refusal("changed.form_id", "form_id", slug=slug))
        row = _set(row, "form_id", slug)
    return row


def _with_language(row: Row, languages: Languages, losses: Losses) -> Row:
    written = row.cells.get("default_language", "").strip()
    if written and written.lower() != "default" and language_code(written) != languages.own:
        own = language_name(languages.own)
        losses.change(row, Refusal("changed.default_language", "default_language", language=own))
    cells = {name: text for name, text in row.cells.items() if name != "default_language"}
    if len(languages.codes) > 1 or languages.own != DEFAULT:
        cells["default_language"] = language_name(languages.own)
    return replace(row, cells=cells)


def _set(row: Row, column: str, text: str) -> Row:
    return replace(row, cells={**row.cells, column: text})
