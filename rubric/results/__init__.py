"""Scores over all queries, and comparisons of them."""
