"""Every mechanism's reports in bulk: one file per mechanism, and the exact tricks they share."""
