"""What the tests share: the programs they need, and helpers for more than one room."""
