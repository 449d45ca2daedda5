"""Survey files as XLSForm workbooks, both ways; README.md beside this has the table of columns."""
