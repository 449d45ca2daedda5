"""Sign tickets that the server cannot read; the keys lie outside the database."""
