"""Flask: sees reports, never answers."""
