"""Answer a survey without a browser."""
