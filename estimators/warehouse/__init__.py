"""Count reports where they are: a query for a warehouse, and what it returns as a tally."""
