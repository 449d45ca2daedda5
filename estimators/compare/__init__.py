"""One question in several groups: differences, ratios, tests and weighted figures."""
