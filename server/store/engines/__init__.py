"""One module per engine: how it connects, locks, rewrites and fails. Rules never live here."""
