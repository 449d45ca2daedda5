"""Turn what researchers write into a survey: files, schema, lint."""
