"""Text files as lines: decompressed and decoded as they are read."""
