"""What happens to a survey, the same for every way in: pages, API and commands."""
