"""The steps of a survey's life, the same for every way in."""
