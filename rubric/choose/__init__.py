"""Which pair to judge next, and how many labels a goal is likely to take."""
