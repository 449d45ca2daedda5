"""The mapping in a survey file, read field by field, becomes a survey."""
