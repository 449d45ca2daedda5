"""The editor: writing a survey in the browser, in a form made from the fields of survey files."""
