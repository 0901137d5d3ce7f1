"""Text for people: safe to show, plurals, percentages, times, cells for spreadsheets."""
