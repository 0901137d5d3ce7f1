"""Measures: how each scores a ranking, and what it could still become."""
