"""All SQL lives in this package; the rest of the server sees surveys, reports and tallies.

`database`, `schema`, `writer` and `backup` are SQLite's. All other statements are plain SQL with
`ON CONFLICT` and `RETURNING`, but for two idioms about damage: `CAST(... AS BLOB)` reads a text
that a flipped bit has broken (`verify`, `snapshots`, `groups`), and merging groups binds reports
to new checksums with a function of Python (`groups`).
"""
