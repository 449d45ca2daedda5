"""The trusted core: checks a published survey and turns a true answer into a report."""
