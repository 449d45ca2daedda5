"""A survey answered without a browser."""
