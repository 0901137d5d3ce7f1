"""The measures, one a file: how each scores a ranking, what it could still become, what it is."""
