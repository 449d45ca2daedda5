"""The write-ahead log beside a database file, as bytes: SQLite drops what it cannot read of it."""
