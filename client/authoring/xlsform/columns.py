"""The columns of the sheets: those that are known, ignored or refused.

A column has the name that the XLSForm standard gives it, or else its name in YAML.
"""

from collections.abc import Callable, Iterator, Mapping

from client.authoring.draft.fields import EVERY_QUESTION, FACTOR, PARTS, SURVEY, Declared, Field
from client.authoring.draft.kinds import KIND_DECLARATIONS
from client.authoring.xlsform.completion import COLUMNS
from client.authoring.xlsform.kinds import CROSS_WITH
from client.core.primitives.refusal import Refusal

# Standard columns that hold no single field, or that usually come first.
_STANDARD: Mapping[str, tuple[str, ...]] = {
    "survey": (
        "type",
        CROSS_WITH,
        "name",
        "label",
        "required",
        "relevant",
        "constraint",
        "parameters",
    ),
    "choices": ("list_name", "name", "label", "anchored"),
    "settings": ("form_title", "form_id", "default_language", "groups_by"),
    "groups": ("list_name", "name", "label"),
}
# Fields that are not in one column of the same name.
_ELSEWHERE = PARTS | {"labels", "completion", "anchored"}


def known_columns(sheet: str) -> tuple[str, ...]:
    """Return the known columns of a sheet, in the order in which they are written."""
    declared = [column for column, _, _ in _declared(sheet)]
    others = COLUMNS.values() if sheet == "settings" else ()
    return tuple(dict.fromkeys([*_STANDARD[sheet], *declared, *others]))


def translatable_columns(sheet: str) -> frozenset[str]:
    """Return the columns that people read, which may be there once per language."""
    if sheet == "choices":
        return frozenset(["label"])
    return frozenset(column for column, _, field in _declared(sheet) if field.form.is_translatable)


def fields_by_column(declared: Declared) -> Iterator[tuple[str, str, Field]]:
    """Yield (column, field name, field) for each field that has a column."""
    for name, field in declared.items():
        if field.form.name not in _ELSEWHERE:
            yield field.column or name, name, field


def _declared(sheet: str) -> Iterator[tuple[str, str, Field]]:
    if sheet == "settings":
        yield from fields_by_column(SURVEY)
    if sheet == "groups":
        yield from fields_by_column(FACTOR)
    if sheet == "survey":
        yield from fields_by_column(EVERY_QUESTION)
        for declaration in KIND_DECLARATIONS.values():
            yield from fields_by_column(declaration.own)


MakeRefusal = Callable[[str], Refusal]

# Ignored with a note, because they change neither what is asked nor what is sent.
IGNORED: Mapping[str, MakeRefusal] = {
    "appearance": lambda column: Refusal("no_effect.appearance", column),
    "style": lambda column: Refusal("no_effect.style", column),
    "version": lambda column: Refusal("no_effect.version", column),
    "instance_name": lambda column: Refusal("no_effect.instance_name", column),
    "allow_choice_duplicates": lambda column: Refusal("no_effect.duplicates", column),
    **dict.fromkeys(
        ("required_message", "constraint_message"),
        lambda column: Refusal("no_effect.message", column),
    ),
}

REFUSED: Mapping[str, MakeRefusal] = {
    "guidance_hint": lambda column: Refusal("refused_column.guidance", column),
    "default": lambda column: Refusal("refused_column.default", column),
    **dict.fromkeys(
        ("calculation", "calculate", "trigger"),
        lambda column: Refusal("refused_column.calculation", column),
    ),
    "choice_filter": lambda column: Refusal("refused_column.filter", column),
    "repeat_count": lambda column: Refusal("refused_column.repeat", column),
    **dict.fromkeys(
        ("image", "audio", "video", "media"),
        lambda column: Refusal("refused_column.media", column),
    ),
    "public_key": lambda column: Refusal("refused_column.public_key", column),
    "submission_url": lambda column: Refusal("refused_column.submission_url", column),
}
_ALIASES = {
    "list": "list_name",
    "title": "form_title",
    "set_form_title": "form_title",
    "id": "form_id",
    "id_string": "form_id",
    "set_form_id": "form_id",
    "relevance": "relevant",
    "caption": "label",
    "command": "type",
    "tag": "name",
    "value": "name",
    "constraining_message": "constraint_message",
    "jr:constraintmsg": "constraint_message",
    "jr:requiredmsg": "required_message",
    "requiredmsg": "required_message",
    "jr:count": "repeat_count",
    "count": "repeat_count",
    "big-image": "image",
}


def known_as(column: str) -> str:
    """Return a column under its usual name, with its language if it has one."""
    base, mark, language = column.partition("::")
    return f"{_ALIASES.get(base, base)}{mark}{language}"


def base_of(column: str) -> str:
    """Return the name of a column without its language."""
    return column.partition("::")[0]
