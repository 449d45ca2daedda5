"""Connections and the loop that serves them: waitress with strict channels and few wake-ups."""
