"""Runs, as TREC writes them and as tables or JSON."""
