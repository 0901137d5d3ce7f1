"""Files on their way into a project, in SQLite's temporary database."""
