"""Tests of the steps of a survey's life."""
