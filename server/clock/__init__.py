"""Whether the clock can be trusted to close and to delete, which cannot be undone."""
