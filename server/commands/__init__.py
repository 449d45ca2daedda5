"""The operator's commands, and the two roads on which they reach the store."""
