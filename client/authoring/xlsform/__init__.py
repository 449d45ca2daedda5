"""Survey files as XLSForm workbooks, read and written; README.md has the table of columns."""
