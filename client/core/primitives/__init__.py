"""The building blocks of the trusted core: words, thresholds, values, canonical JSON, refusals."""
