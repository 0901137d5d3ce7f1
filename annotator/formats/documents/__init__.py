"""Documents: tables, JSON, SGML, web pages."""
