"""Tests of answering in a terminal."""
