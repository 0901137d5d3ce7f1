"""Queries: tables, JSON, topics, and their weights."""
