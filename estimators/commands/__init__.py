"""The commands that end in figures: one module per command."""
