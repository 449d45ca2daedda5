"""What becomes of a version in the store: published, closed, deleted."""
