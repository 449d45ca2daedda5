"""Vectors that every client must reproduce, and the script that writes them."""
