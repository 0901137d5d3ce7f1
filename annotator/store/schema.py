"""What marks a SQLite file as a project, and as one of this release."""

from __future__ import annotations

APPLICATION_ID = 0x506F6F6C
"""Marks a SQLite file as a project of this program ("Pool")."""

SCHEMA_VERSION = 4
"""The version of the files that this release writes: how many migrations it knows."""
