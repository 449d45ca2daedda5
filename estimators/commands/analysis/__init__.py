"""Commands that look at more than one question at a time."""
