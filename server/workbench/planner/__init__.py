"""What a question costs before anybody is asked: a form, its answer in a sentence, and a chart."""
