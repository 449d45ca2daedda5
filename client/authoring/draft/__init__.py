"""Turn the mapping in a survey file into a survey, field by field."""
