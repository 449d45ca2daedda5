"""All SQL lives in this package; the rest of the server sees surveys, reports and tallies."""
