"""Researchers' accounts: managing them, their passwords, and how often one may guess."""
