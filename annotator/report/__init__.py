"""Results as text; nothing here reads, writes or prints."""
