"""Any measure over judged rankings: its spelling, its scores, the difference of two systems."""
