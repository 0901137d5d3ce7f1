"""JSON files, read piece by piece."""
