"""Writing a survey in the browser: a form of native controls, made of survey files' fields."""
