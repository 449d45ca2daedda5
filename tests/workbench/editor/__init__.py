"""Tests of the editor: what is written in the form, what it says, and what comes of it."""
