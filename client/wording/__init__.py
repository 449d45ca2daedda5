"""Sentences for respondents: odds, levels of protection, plurals, the same as on the page."""
