"""Labels and rankings to a scoreboard: coverage and bounds beside every number."""
