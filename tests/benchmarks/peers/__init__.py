"""The work of other packages. These modules run in an environment of their own: `make bench`."""
