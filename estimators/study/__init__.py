"""Surveys tried on synthetic populations, over grids of epsilons and numbers of respondents."""
