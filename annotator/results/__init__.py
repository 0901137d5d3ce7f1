"""Results as plain values: frozen, complete, and with one JSON form each; nothing is computed."""
