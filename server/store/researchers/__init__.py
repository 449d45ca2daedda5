"""Researchers: their accounts, roles, keys and manuscripts.

None of it is about respondents.
"""
