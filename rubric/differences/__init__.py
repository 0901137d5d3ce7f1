"""Bounds of the difference of two systems, exactly."""
