"""The respondent's page in ES modules, and the bundle that is served."""
