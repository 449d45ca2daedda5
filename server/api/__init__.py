"""The JSON interface: for respondents' devices, for researchers with a key, for the operator."""
