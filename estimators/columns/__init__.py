"""Reports and covariates as columns, for everything that looks at more than one question."""
