"""What the trusted core is made of: words, thresholds, plain values, canonical JSON, refusals."""
