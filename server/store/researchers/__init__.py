"""Researchers beside the ballot box: who they are, their roles, their keys and what they write.

None of it is about respondents.
"""
