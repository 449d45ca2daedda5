"""How often 95 % intervals hold the truth and tests at 5 % reject it, part by part."""
