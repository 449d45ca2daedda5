"""The respondent's side: all code that may ever see a true answer."""

__version__ = "0.1.0"
