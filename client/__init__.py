"""The respondent's side: all code that may ever see a true answer."""
