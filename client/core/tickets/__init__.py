"""Blind tickets: the right to hand in one report, which the server stamps without seeing it."""
