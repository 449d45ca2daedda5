"""Who does the work: threads of this machine, or the workers of a cluster."""
