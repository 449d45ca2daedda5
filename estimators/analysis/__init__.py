"""A data set as Python users see it."""
