"""What a survey found, for readers and for researchers: pages, figures, files."""
