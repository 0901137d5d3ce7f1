"""Scores and comparisons of files, without a project."""
