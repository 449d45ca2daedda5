"""The planner: how many respondents a question needs, as a sentence and a chart."""
