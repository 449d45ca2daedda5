"""Log-likelihoods of reports given covariates, how they are maximised, and their errors."""
