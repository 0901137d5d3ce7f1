"""Figures as SVG: pure, without a script, readable in print, in the dark and aloud."""
