"""Sentences for respondents, the same as on the page: odds, levels of protection, plurals."""
