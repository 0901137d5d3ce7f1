"""Results as text: tables, JSON, CSV, Markdown."""
