"""The JSON interface under /api, for researchers with a key and for the operator."""
