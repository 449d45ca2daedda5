"""The query that counts a table of reports to a survey: its result is a tally in rows.

Each row says which survey it is of. Rows of the kind `reports` count the reports of a group,
`cell` those that add to a cell of a question's tally, `refused` those that are no reports to the
survey: the other rows mean nothing unless there are none of these.
"""

from client.core.survey import Survey
from estimators.counting.group_columns import escaped_cells, group_cells, group_columns
from estimators.counting.layouts import layout_of
from estimators.warehouse.dialects import DIALECTS, Dialect

COLUMNS = ("survey", "kind", "survey_group", "question", "cell", "reports")
REPORTS, REFUSED, CELL = "reports", "refused", "cell"
# The name of the reports inside the query.
_SOURCE = "source"


def tally_query(survey: Survey, dialect: str, table: str) -> str:
    """Return the query for a table, named as the warehouse names it."""
    sql = DIALECTS[dialect]
    layouts = {
        f"q{number}": (question, layout_of(question.mechanism))
        for number, question in enumerate(survey.questions, start=1)
    }
    columns = [
        f"{sql.column(sql.name(question.id), layout)} AS {q}"
        for q, (question, layout) in layouts.items()
    ]
    columns.append(f"{_group_code(survey, sql)} AS survey_group")
    conditions = ["survey_group IS NOT NULL"]
    for q, (_, layout) in layouts.items():
        right = sql.is_report(q, layout)
        conditions.append(f"({q} IS NULL OR {right})" if survey.ask_each_person else right)
    if survey.ask_each_person:
        asked = " + ".join(f"CASE WHEN {q} IS NULL THEN 0 ELSE 1 END" for q in layouts)
        conditions.append(f"{asked} = {survey.asked}")
    right = "\n    AND ".join(conditions)

    def row(kind: str, group: str, question: str, cell: str) -> str:
        heading = f"{sql.text(survey.fingerprint)} AS survey, {sql.text(kind)} AS kind"
        place = f"{group} AS survey_group, {sql.text(question)} AS question, {cell} AS cell"
        return f"SELECT {heading}, {place}, COUNT(*) AS reports"

    parts = [
        f"{row(REPORTS, 'survey_group', '', '0')}\nFROM {_SOURCE} GROUP BY survey_group",
        f"{row(REFUSED, sql.text(''), '', '0')}\nFROM {_SOURCE}\n"
        f"WHERE NOT COALESCE({right}, FALSE)",
        *(
            f"{row(CELL, 'survey_group', question.id, 'cell')}\n"
            f"FROM ({sql.cells(q, layout, _SOURCE)}) AS cells GROUP BY survey_group, cell"
            for q, (question, layout) in layouts.items()
        ),
    ]
    lines = ",\n    ".join(columns)
    source = f"WITH {_SOURCE} AS {sql.hint}(\n  SELECT\n    {lines}\n  FROM {table}\n)\n"
    return source + "\nUNION ALL\n".join(parts)


def _group_code(survey: Survey, sql: Dialect) -> str:
    """Return the expression for the code of a row's group: '' for none, NULL for a wrong one."""
    if survey.groups is None:
        return sql.text("")
    names = [f"COALESCE({sql.name(name)}, {sql.text('')})" for name in group_columns(survey)[:-1]]

    def row_is(cells: list[str]) -> str:
        pairs = zip(names, cells, strict=True)
        return " AND ".join(f"{name} = {sql.text(cell)}" for name, cell in pairs)

    cases = [f"WHEN {row_is([''] * len(names))} THEN {sql.text('')}"]
    for code in survey.groups.codes:
        plain, escaped = group_cells(survey.groups, code), escaped_cells(survey.groups, code)
        # With and without the mark of a text that a spreadsheet would run.
        for cells in dict.fromkeys((plain[:-1], tuple(escaped[:-1]))):
            cases.append(f"WHEN {row_is(list(cells))} THEN {sql.text(code)}")
    return f"CASE {' '.join(cases)} END"
