"""Tables and JSON records by column: which column holds what."""
