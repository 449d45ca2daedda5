"""A server under faults of its disk and locks of others, with all that must hold afterwards."""
