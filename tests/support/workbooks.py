"""Workbooks for tests, given as rows of cells."""

import io
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

import openpyxl

from client.authoring.draft.places import SurveyFile
from client.authoring.files import parse_survey_file
from client.core.primitives.refusal import Refusal

Rows = Sequence[Sequence[Any]]

SETTINGS: Rows = [["form_title", "form_id", "epsilon"], ["Habits", "habits", 1]]
YES_NO: Rows = [["list_name", "name", "label"], ["yn", "yes", "Yes"], ["yn", "no", "No"]]


def workbook(
    survey: Rows, choices: Rows = YES_NO, settings: Rows = SETTINGS, **more: Rows
) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    sheets = {"survey": survey, "choices": choices, "settings": settings, **more}
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


def read(
    survey: Rows, choices: Rows = YES_NO, settings: Rows = SETTINGS, **more: Rows
) -> SurveyFile:
    return parse_survey_file(workbook(survey, choices, settings, **more), "form.xlsx")


def faults(file: SurveyFile) -> list[str]:
    """Return everything that is wrong with a workbook, or else the first fault of its survey."""
    if file.faults or not file.is_whole:
        found = (*file.faults, *file.left_out, *file.changed)
        return [fault.message for fault in found]
    try:
        file.build()
    except Refusal as refusal:
        return [refusal.message]
    return []


def cells(data: bytes) -> dict[str, list[tuple[Any, ...]]]:
    book = openpyxl.load_workbook(io.BytesIO(data))
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book.worksheets}


def repacked(data: bytes, change: Callable[[str, bytes], bytes], **more: bytes) -> bytes:
    """Return the same zip with its parts changed or added to."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as parts, zipfile.ZipFile(packed, "w") as archive:
        for part in parts.infolist():
            content = change(part.filename, parts.read(part))
            archive.writestr(part.filename, content, zipfile.ZIP_DEFLATED)
        for name, content in more.items():
            archive.writestr(name, content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
