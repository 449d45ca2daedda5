"""Other packages' own work. These modules run in an environment of their own: `make bench`."""
