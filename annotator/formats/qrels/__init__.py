"""Qrels, in every form that is a file of ratings alone."""
