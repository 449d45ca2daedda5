"""One zip per survey: tables, transition matrices, and scripts that derive every figure again."""
