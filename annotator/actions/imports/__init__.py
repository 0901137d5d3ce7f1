"""Files into a project: queries, documents, runs, qrels, the log."""
