"""What researchers write becomes a survey: files, schema, lint."""
