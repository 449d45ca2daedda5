"""Reports become tallies."""
